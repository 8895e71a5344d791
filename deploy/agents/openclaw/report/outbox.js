/**
 * Reports that are not taken yet, one file each, so that they outlive this process.
 *
 * A file is written aside, synced, and then named, so that it is there whole or not at all; it is never changed, and
 * goes when its report was taken. Its name tells when it was made. Two processes over one folder may send a report
 * twice, which the gateway takes for the same one.
 */
import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync } from "node:fs";
import { open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";

const NAME = /^(\d{13,15})-[0-9a-f]{16}\.json$/;
const HALF_WRITTEN = /^\.(\d{13,15})-[0-9a-f]{16}\.tmp$/;
/** Whoever wrote it has died: nobody takes this long. */
const ABANDONED_MS = 60_000;

/** @typedef {{name: string, createdMs: number}} Kept */

export class Outbox {
  /**
   * @param {string} folder
   * @param {() => number} wallMs the time of day in milliseconds
   */
  constructor(folder, wallMs = Date.now) {
    this.folder = folder;
    this.wallMs = wallMs;
  }

  /** Make the folder, for this user alone. Throws when nothing can be written there. */
  prepare() {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    accessSync(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** Keep these bytes; they are on the disk when this returns. */
  async put(bytes) {
    const createdMs = this.wallMs();
    const stem = `${createdMs}-${randomBytes(8).toString("hex")}`;
    const aside = join(this.folder, `.${stem}.tmp`);
    const name = `${stem}.json`;
    await write(aside, bytes);
    await rename(aside, join(this.folder, name));
    await syncFolder(this.folder);
    return { name, createdMs };
  }

  /** What is kept, the oldest first. Removes what somebody else left half written. */
  async kept() {
    const names = (await readdir(this.folder)).sort();
    const dead = names.filter((name) => this.wallMs() - Number(HALF_WRITTEN.exec(name)?.[1]) > ABANDONED_MS);
    await Promise.all(dead.map((name) => this.remove(name)));
    return names.filter((name) => NAME.test(name)).map((name) => ({ name, createdMs: Number(NAME.exec(name)[1]) }));
  }

  /** Its bytes as they were put; `undefined` when another process has sent it. */
  async read(name) {
    try {
      return await readFile(join(this.folder, name));
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Forget it. */
  async remove(name) {
    try {
      await unlink(join(this.folder, name));
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
}

async function write(path, bytes) {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the name outlives a power cut; Windows syncs no folders. */
async function syncFolder(folder) {
  if (process.platform === "win32") return;
  const file = await open(folder, constants.O_RDONLY);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
