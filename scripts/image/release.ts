import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the images: `full` has the embedded PostgreSQL as well, `slim` needs `DATABASE_URL`. */
export const variants = ['full', 'slim'] as const

/** Names an image. */
export type Variant = (typeof variants)[number]

/** Describes the release that an image is made of. */
export interface Release {
  readonly version: string
  /** Example: `signalbox:0.1.0-slim`. */
  readonly reference: string
  readonly fileName: string
  /** Holds the moment of the commit, in seconds: the same sources give the same bytes. */
  readonly epochSeconds: number
  readonly revision: string
  /** Holds the architecture as images call it. */
  readonly architecture: 'amd64' | 'arm64'
}

/** Describes the release of the sources in `root`. `SOURCE_DATE_EPOCH` says the moment where there is no git. */
export function readRelease(root: string, variant: Variant): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const tag = variant === 'slim' ? `${version}-slim` : version
  const epoch = process.env['SOURCE_DATE_EPOCH'] ?? askGit(root, 'log', '-1', '--format=%ct')
  return {
    version,
    reference: `signalbox:${tag}`,
    fileName: `signalbox-${tag}`,
    epochSeconds: Number(epoch ?? 0),
    revision: askGit(root, 'rev-parse', 'HEAD') ?? 'unknown',
    architecture: architectureHere(),
  }
}

function askGit(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

function architectureHere(): Release['architecture'] {
  if (process.platform !== 'linux') throw new Error('The files of the images are those of Linux.')
  if (process.arch === 'x64') return 'amd64'
  if (process.arch === 'arm64') return 'arm64'
  throw new Error(`There is no Node for ${process.arch} in the lockfile.`)
}
