import { CliError } from '../terminal/cli-error.ts'

/** Describes `.signalbox.json`: what everybody who works on a project shares. It is committed and holds no secret. */
export interface ProjectFile {
  readonly server?: string
  readonly organization?: string
  /** Holds the name or the id. */
  readonly schema?: string
  /** Names the environment to use without --env. */
  readonly environment?: string
  /** Holds the path of the definition file, relative to this file. */
  readonly config?: string
}

export const projectFileName = '.signalbox.json'
const fields = ['server', 'organization', 'schema', 'environment', 'config'] as const

/** Reads the text of a project file, refusing fields it does not know and anything that looks like a token. */
export function parseProjectFile(text: string, path: string): ProjectFile {
  if (/sbx_(m2m|rly|pat|agt)_/.test(text)) {
    throw violation(
      path,
      'contains a token, but this file is committed: remove the token and replace it.',
    )
  }
  const parsed = parseObject(text, path)
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '$schema') continue
    if (!fields.some((field) => field === name)) {
      throw violation(path, `has an unknown field "${name}". Known fields: ${fields.join(', ')}.`)
    }
    if (typeof value !== 'string' || value === '') {
      throw violation(path, `"${name}" must be a text.`)
    }
  }
  return parsed
}

function parseObject(text: string, path: string): ProjectFile {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch (cause) {
    throw violation(path, `is not JSON: ${cause instanceof Error ? cause.message : ''}`)
  }
  throw violation(path, 'must be a JSON object.')
}

function violation(path: string, what: string): CliError {
  return new CliError('validation', 'project_file', `${path} ${what}`)
}

/** Returns the text of a project file. */
export function renderProjectFile(project: ProjectFile): string {
  return `${JSON.stringify(project, undefined, 2)}\n`
}
