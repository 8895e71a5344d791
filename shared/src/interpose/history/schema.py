"""The tables of the store of history.

`records` are the bytes of the log's lines that calls and results stand in, each once. `calls` are what they say. A
call may be met in several logs, since platforms copy what a session goes on from: it is stored once, and `sightings`
says where it stands.
"""

from interpose.records.form import Form

APPLICATION_ID = 0x49504849
"""`IPHI`: what tells this store from any other SQLite file."""

_FIRST = (
    """
    CREATE TABLE logs (
      id INTEGER PRIMARY KEY,
      platform TEXT NOT NULL,
      name TEXT NOT NULL,
      identity TEXT NOT NULL,
      is_current INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      number INTEGER NOT NULL,
      start INTEGER NOT NULL,
      digest BLOB NOT NULL,
      state TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE records (
      id INTEGER PRIMARY KEY,
      log_id INTEGER NOT NULL REFERENCES logs (id),
      number INTEGER NOT NULL,
      data BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY,
      base BLOB NOT NULL,
      nth INTEGER NOT NULL,
      platform TEXT NOT NULL,
      session TEXT, agent TEXT, cwd TEXT,
      tool TEXT NOT NULL, canonical TEXT, kind TEXT NOT NULL,
      provider_call_id TEXT,
      at_us INTEGER, ended_us INTEGER,
      is_error INTEGER, matches_model INTEGER,
      note TEXT,
      form TEXT NOT NULL,
      request_id INTEGER NOT NULL REFERENCES records (id),
      response_id INTEGER REFERENCES records (id),
      UNIQUE (base, nth)
    ) STRICT
    """,
    """
    CREATE TABLE sightings (
      log_id INTEGER NOT NULL REFERENCES logs (id),
      number INTEGER NOT NULL,
      part INTEGER NOT NULL,
      call_id INTEGER NOT NULL REFERENCES calls (id),
      PRIMARY KEY (log_id, number, part)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX logs_name ON logs (platform, name) WHERE is_current",
    "CREATE INDEX logs_identity ON logs (platform, identity) WHERE is_current",
    "CREATE UNIQUE INDEX records_place ON records (log_id, number)",
    "CREATE INDEX calls_provider ON calls (provider_call_id)",
    "CREATE INDEX calls_at ON calls (at_us)",
    "CREATE INDEX calls_platform ON calls (platform, at_us)",
    "CREATE INDEX sightings_call ON sightings (call_id, log_id)",
)

FORM = Form(APPLICATION_ID, (_FIRST,), "move it away, or name another state folder with --home")
