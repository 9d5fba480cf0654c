import { globSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A clock that the service and its database go by, beside the one of the machine. */
export interface FakedClock {
  /** The settings and variables with which a service is started on it. */
  readonly env: Readonly<Record<string, string>>
  /** Sets how many seconds it is ahead from now on. */
  setAhead(seconds: number): Promise<void>
  close(): Promise<void>
}

/** Names what of this machine moves a clock. */
interface ClockTools {
  readonly library: string
  /** The folder of the programs of PostgreSQL. */
  readonly bin: string
}

/**
 * Finds what moves the clock, or says why it can't be had. The library has to be that of this system: it is loaded into Node and
 * PostgreSQL beside the system's own.
 */
export function findFakedClock(): ClockTools | { readonly reason: string } {
  const [initdb] = globSync('/usr/lib/postgresql/*/bin/initdb')
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (initdb === undefined || library === undefined) {
    return { reason: 'Install the packages postgresql and libfaketime.' }
  }
  return { library, bin: dirname(initdb) }
}

/** Creates a clock that is right. What only counts up is left alone, as a wrong clock leaves it. */
export async function createFakedClock({ library, bin }: ClockTools): Promise<FakedClock> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-clock-'))
  // PostgreSQL runs as another user when the proof runs as root.
  await chmod(directory, 0o755)
  const file = join(directory, 'ahead')
  const preload = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  }
  const setAhead = async (seconds: number) => {
    // Replaced as a whole: half a number would be another time.
    await writeFile(`${file}.new`, `+${seconds}`, { mode: 0o644 })
    await rename(`${file}.new`, file)
  }
  await setAhead(0)
  // The database gets no variables of the service, so its program sets them.
  const exports = Object.entries(preload).map(([name, value]) => `export ${name}='${value}'`)
  const program = (name: string, lines: readonly string[]) =>
    writeFile(
      join(directory, name),
      `${['#!/bin/sh', ...lines, `exec ${join(bin, name)} "$@"`].join('\n')}\n`,
      { mode: 0o755 },
    )
  await program('initdb', [])
  await program('postgres', exports)
  return {
    env: { ...preload, SIGNALBOX_POSTGRES_BIN: directory },
    setAhead,
    close: () => rm(directory, { recursive: true, force: true }),
  }
}
