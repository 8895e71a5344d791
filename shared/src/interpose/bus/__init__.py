"""The bus: NATS, and the only room that knows it. Subjects and headers are each spelled in one file here."""
