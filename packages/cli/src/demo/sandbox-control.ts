import { CliError } from '../terminal/cli-error.ts'

/** Describes how a pretended provider takes part in the demo. */
export interface DemoProvider {
  /** Example: `github`. */
  readonly name: string
  readonly title: string
  readonly kind: 'codehost' | 'tracker' | 'chat'
  /** Names the provider whose application it uses, and whose connection where that is connected. */
  readonly sharesWith: string | null
  /** Holds the settings with which the service uses it, by the names of environment variables. */
  readonly settings: Readonly<Record<string, string>>
  /** Holds the values of the form that connects it. Null: a person gives consent. */
  readonly form: Readonly<Record<string, string>> | null
  readonly projectKeys: readonly string[]
  /** Holds the id of the workflow that tests deployments. */
  readonly testWorkflow: string | null
  /** Holds the channel that messages go to. */
  readonly channel: { readonly id: string; readonly url: string } | null
}

/** Describes the state of the sandbox below `/control`, as far as the demo uses it. */
export interface SandboxState {
  readonly origin: string
  /** Lists the providers by kind; the first of a kind is the usual one. */
  readonly participants: readonly DemoProvider[]
}

/** Reads the state of the sandbox; throws a `CliError` when it does not answer. */
export async function readSandbox(origin: string): Promise<SandboxState> {
  const response = await fetch(`${origin}/control`)
  if (!response.ok) throw new CliError('failure', 'sandbox_refused', 'The sandbox does not answer.')
  // We have started this sandbox, so it is of the same version.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as SandboxState
}

const portMax = 65_535

/** Reads the port of a flag; `0`: any free one. @throws {CliError} `invalid_port` */
export function readPort(text = '0'): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= portMax) return text
  throw new CliError('usage', 'invalid_port', `--port must be a number up to ${portMax}.`)
}

/** Reads names as a person may write them. Example: `GitLab, linear`. */
export function readNames(text = ''): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '')
}

const kinds = ['codehost', 'tracker', 'chat'] as const

/**
 * Returns one provider of each kind: those that are named, and the usual ones of the other kinds.
 *
 * @throws {CliError} `invalid_with`: A name is unknown, or two are of one kind.
 */
export function chooseProviders(
  { participants }: SandboxState,
  names: readonly string[],
): readonly DemoProvider[] {
  const unknown = names.find((name) => !participants.some((one) => one.name === name))
  if (unknown !== undefined) {
    const known = participants.map(({ name }) => name).join(', ')
    throw new CliError('usage', 'invalid_with', `--with does not know ${unknown}.`, {
      advice: `Name one or more of: ${known}.`,
    })
  }
  return kinds.map((kind) => {
    const ofKind = participants.filter((one) => one.kind === kind)
    const named = ofKind.filter(({ name }) => names.includes(name))
    const [first = ofKind[0], second] = named
    if (second !== undefined) {
      const text = `--with names two of one kind: ${named.map(({ name }) => name).join(' and ')}.`
      throw new CliError('usage', 'invalid_with', text, { advice: 'Name one of them.' })
    }
    if (first === undefined) throw new Error(`The sandbox has no ${kind}`)
    return first
  })
}

/** Returns the settings with which the service uses the sandbox instead of the providers. */
export function settingsFor(providers: readonly DemoProvider[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...providers.map(({ settings }) => settings))
}

/** Enters the addresses of the service where its applications are registered, as a person does once at each provider. */
export async function registerAt(
  origin: string,
  service: string,
  providers: readonly DemoProvider[],
): Promise<void> {
  const names = providers.map(({ name }) => name)
  await post(`${origin}/control/participants`, { names, service })
}

/** Lets the pretended pipelines report to the service, and fail the tests of a configuration that has the breaking flag on. */
export async function setPipelines(
  origin: string,
  pipelines: {
    readonly url: string
    readonly organization: string
    readonly token: string
    readonly breakingFlag: string
  },
): Promise<void> {
  await post(`${origin}/control/pipelines`, pipelines)
}

/** Names a commit of the pretended code host. */
export interface DemoCommit {
  readonly repository: string
  readonly sha: string
  readonly ref: string
}

/** Opens a pull request of the shop. */
export async function propose(
  origin: string,
  proposal: { readonly branch: string; readonly title: string },
): Promise<DemoCommit> {
  const answer = await post(`${origin}/control/proposals`, proposal)
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { repository, sha } = (await answer.json()) as Omit<DemoCommit, 'ref'>
  return { repository, sha, ref: proposal.branch }
}

/** Lets the pretended pipelines report what they brought out earlier, where the code host can't tell it. */
export async function reportReleases(origin: string): Promise<void> {
  await post(`${origin}/control/releases`, {})
}

/** Takes the pretended person through the pages that begin at `url`. Returns the address to which their browser returns. */
export async function allow(origin: string, url: string, backTo: string): Promise<string> {
  const answer = await post(`${origin}/control/visits`, { url, backTo })
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return ((await answer.json()) as { readonly location: string }).location
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return response
  throw new CliError('failure', 'sandbox_refused', `The sandbox refused ${new URL(url).pathname}.`)
}
