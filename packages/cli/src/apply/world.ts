import type { Api } from '../api/api.ts'
import type { Answer, Environment } from '../api/operations.ts'
import { CliError } from '../terminal/cli-error.ts'
import { didYouMean } from '../terminal/nearest.ts'
import type { Violation, Path } from './violation.ts'

/** Describes the state of the code host. */
export type Codehost = Answer<'getCodehost'>

/** Reads the state of an organization, each part once, and translates names to ids. */
export interface World {
  readonly api: Api
  readonly orgId: string
  environments(): Promise<readonly Environment[]>
  /** Reads the environments anew the next time: some were created. */
  forgetEnvironments(): void
  codehost(): Promise<Codehost>
  /**
   * Throws where somebody has changed a list of the code host since it was read: a list is written whole.
   *
   * @throws {CliError} `changed_meanwhile`
   */
  requireUnchanged(list: 'environmentMap' | 'testWorkflows'): Promise<void>
  /** Returns the id of an environment that exists. */
  readonly idOf: (environment: string) => Promise<string>
  /** Returns the name of an environment, or the id of one that was deleted. */
  readonly nameOf: (id: string) => Promise<string>
  /** Names the environments that exist, and those that the file declares. */
  knownEnvironments(): Promise<ReadonlySet<string>>
}

/** Creates the world of a file that declares these environments. */
export function createWorld(api: Api, orgId: string, declared: readonly string[]): World {
  let environments: Promise<readonly Environment[]> | undefined
  let codehost: Promise<Codehost> | undefined
  const listed = () => (environments ??= api.environments(orgId))
  const readCodehost = () => api.call('getCodehost', { params: { org_id: orgId } })
  return {
    api,
    orgId,
    environments: listed,
    forgetEnvironments: () => {
      environments = undefined
    },
    codehost: () => (codehost ??= readCodehost()),
    requireUnchanged: async (list) => {
      const [before, now] = [await codehost, await readCodehost()]
      if (JSON.stringify(before?.[list]) === JSON.stringify(now[list])) return
      const message = `Somebody changed ${list} while the plan was shown.`
      throw new CliError('conflict', 'changed_meanwhile', message, {
        advice: 'Repeat the command: it makes a new plan.',
      })
    },
    idOf: async (name) => {
      const existing = (await listed()).find((environment) => environment.name === name)
      return existing?.id ?? (await api.environment(orgId, name)).id
    },
    nameOf: async (id) => (await listed()).find((environment) => environment.id === id)?.name ?? id,
    knownEnvironments: async () =>
      new Set([...(await listed()).map(({ name }) => name), ...declared]),
  }
}

/** Describes a name in the file, and its place. */
export interface NamedAt {
  readonly path: Path
  readonly name: string
}

/** Returns a violation for each name of an environment that neither exists nor is declared. */
export async function findUnknownEnvironments(
  world: World,
  named: readonly NamedAt[],
): Promise<Violation[]> {
  return findUnknown(named, await world.knownEnvironments(), 'environment')
}

/** Returns a violation for each name of a schema that does not exist. */
export async function findUnknownSchemas(
  { api, orgId }: World,
  named: readonly NamedAt[],
): Promise<Violation[]> {
  if (named.length === 0) return []
  const schemas = new Set((await api.schemas(orgId)).map(({ name }) => name))
  return findUnknown(
    named,
    schemas,
    'schema',
    'Create it with signalbox push, or in the dashboard.',
  )
}

/** Returns a violation for each name of a repository that the code host does not show. */
export async function findUnknownRepositories(
  world: World,
  named: readonly NamedAt[],
): Promise<Violation[]> {
  if (named.length === 0) return []
  const { repositories } = await world.codehost()
  const advice =
    repositories.length === 0
      ? 'No repository is known yet: connect a code host in the dashboard, under Integrations.'
      : 'A new repository is known after the next sync.'
  // A repository that its host no longer shows has only its number.
  const known = new Set(repositories.flatMap(({ fullName, id }) => [fullName, id]))
  return findUnknown(named, known, 'repository', advice)
}

function findUnknown(
  named: readonly NamedAt[],
  known: ReadonlySet<string>,
  noun: string,
  advice?: string,
): Violation[] {
  return named.flatMap(({ path, name }) => {
    if (known.has(name)) return []
    const more = didYouMean(name, known) ?? advice
    const message = `There is no ${noun} "${name}".${more === undefined ? '' : ` ${more}`}`
    return [{ path, message }]
  })
}

/** Returns a text that the schema has checked. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the texts of a list that the schema has checked. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns the names of a member that holds a list, each with its place. */
export function namesIn(
  fields: Readonly<Record<string, unknown>>,
  path: Path,
  member: string,
): NamedAt[] {
  return textsOf(fields[member]).map((name, at) => ({ path: [...path, member, at], name }))
}
