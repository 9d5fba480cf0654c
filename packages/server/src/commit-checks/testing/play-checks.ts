import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import type { CommitStatus } from '../../providers/codehosts/commit-status.ts'
import { hostFailure } from '../../deployments/testing/fake-codehost.ts'
import { recheckDue } from '../recheck.ts'
import { writeStatus } from '../write-status.ts'
import { openChecks, type ChecksApp } from './open-checks.ts'
import {
  expectConclusion,
  expectOpen,
  expectResults,
  type ChecksWorld,
  type ModelCommit,
  type ModelDefinition,
  type ModelValue,
} from './checks-world.ts'

export const branches = ['main', 'feature', 'develop'] as const

/** Names a value that is set, or deleted. */
interface SetStep {
  readonly pick: number
  readonly key: string
  readonly value: ModelValue | null
}

/** Describes one thing that happens. Numbers choose among what there is. */
export type ChecksStep =
  | { readonly do: 'push'; readonly branch: string; readonly definition: ModelDefinition | null }
  | {
      readonly do: 'uploadAgain'
      readonly pick: number
      readonly definition: ModelDefinition | null
    }
  | { readonly do: 'uploadByToken'; readonly pick: number; readonly definition: ModelDefinition }
  | (SetStep & { readonly do: 'set' })
  | { readonly do: 'pushSchema'; readonly definition: ModelDefinition }
  | { readonly do: 'reparent'; readonly pick: number; readonly parent: number }
  | { readonly do: 'addEnvironment' }
  | { readonly do: 'open'; readonly branch: string; readonly fork: boolean }
  | { readonly do: 'change'; readonly pick: number; readonly to: 'open' | 'closed' | 'merged' }
  | { readonly do: 'pushFork'; readonly pick: number }
  | { readonly do: 'deliver'; readonly pick: number; readonly how: 'once' | 'twice' | 'never' }
  | { readonly do: 'deploy'; readonly pick: number; readonly environment: number }
  | WorkStep

/** Describes what the service and its code host do meanwhile. */
type WorkStep =
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'work' }
  | { readonly do: 'workTwice' }
  | { readonly do: 'cutOff' }
  | { readonly do: 'hostFails'; readonly times: number }
  | (SetStep & { readonly do: 'slowWrite' })

interface Play extends ChecksWorld {
  readonly checks: ChecksApp
  /** Holds the events of pull requests that are under way. */
  readonly events: CodehostPullRequest[]
  readonly pending: Set<string>
  failures: number
  /** Says what is set while the next write is under way. */
  slowWrite: SetStep | undefined
  uploads: number
  clock: number
  made: number
}

/** Plays steps, lets it be quiet for a minute, and compares what stands beside each commit with what has to. */
export async function playChecks(steps: readonly ChecksStep[]): Promise<void> {
  const checks = await openChecks()
  try {
    const play = await begin(checks)
    for (const step of steps) await perform(play, step)
    await settle(play)
    await judge(play)
  } finally {
    await checks.close()
  }
}

async function begin(checks: ChecksApp): Promise<Play> {
  const play: Play = {
    checks,
    environments: [
      { id: checks.staging, name: 'staging', parentId: null, values: new Map() },
      { id: checks.production, name: 'production', parentId: null, values: new Map() },
    ],
    commits: new Map(),
    heads: new Map(),
    pulls: new Map(),
    live: new Map(),
    events: [],
    pending: new Set(),
    failures: 0,
    slowWrite: undefined,
    uploads: 0,
    clock: 0,
    made: 0,
  }
  checks.host.beforeCall = (call) => {
    if (!call.startsWith('writeStatus') || play.failures === 0) return
    play.failures -= 1
    throw hostFailure('unavailable')
  }
  const { statuses } = checks.host
  Object.assign(checks.host, {
    statuses: {
      /** One that is slow reaches the host after whatever else happens meanwhile. */
      async write(id: string, status: CommitStatus) {
        const { slowWrite } = play
        if (slowWrite !== undefined) {
          play.slowWrite = undefined
          await setValue(play, slowWrite)
          checks.passMs(31_000)
          await compare(play)
          await report(play)
        }
        return statuses.write(id, status)
      },
    },
  })
  await checks.app.ok('m2m', `PUT /config-schemas/${checks.schemaId}`, {
    body: { schema: toSchema({ a: { type: 'string', required: true } }), force: true },
  })
  return play
}

function toSchema(definition: ModelDefinition): object {
  return Object.fromEntries(
    Object.entries(definition).map(([key, { type, required, max }]) => [
      key,
      {
        type,
        tier: 'public',
        ...(required ? { required } : { default: type === 'string' ? 'x' : 0 }),
        ...(max !== undefined && type === 'number' && { constraints: { maximum: max } }),
      },
    ]),
  )
}

const pickOf = <T>(of: Iterable<T>, pick: number): T | undefined => {
  const all = [...of]
  return all[pick % Math.max(1, all.length)]
}

type Kind = ChecksStep['do']
type StepOf<K extends Kind> = Extract<ChecksStep, { readonly do: K }>
type Performers = {
  readonly [K in Kind]: (play: Play, step: StepOf<K>) => Promise<void> | void
}

const performers: Performers = {
  push: (play, step) => push(play, step.branch, step.definition),
  uploadAgain,
  uploadByToken: uploadAgain,
  set: setValue,
  pushSchema: (play, step) => pushSchema(play, step.definition),
  reparent,
  addEnvironment,
  open: openPull,
  change: changePull,
  pushFork: changePull,
  deliver,
  deploy,
  pass: (play, { seconds }) => {
    play.checks.passMs(seconds * 1000)
  },
  async work(play) {
    await compare(play)
    await report(play)
  },
  async workTwice(play) {
    await Promise.all([compare(play), compare(play)])
    await report(play)
  },
  cutOff,
  hostFails: (play, { times }) => {
    play.failures = times
  },
  slowWrite(play, step) {
    play.slowWrite = step
    return setValue(play, { ...step, value: step.value === 9 ? null : 9 })
  },
}

async function perform<K extends Kind>(play: Play, step: StepOf<K>): Promise<void> {
  const kind: K = step.do
  await performers[kind](play, step)
}

function makeCommit(play: Play, branch: string, isFork = false): ModelCommit {
  play.made += 1
  const sha = play.made.toString(16).padStart(40, 'a')
  const commit: ModelCommit = { sha, branch, definition: undefined, place: 0, isFork }
  play.commits.set(sha, commit)
  return commit
}

async function push(play: Play, branch: string, definition: ModelDefinition | null): Promise<void> {
  const commit = makeCommit(play, branch)
  play.heads.set(branch, commit.sha)
  // A second passes, as it does between a push and what its pipeline does.
  play.checks.passMs(1000)
  for (const [number, pull] of play.pulls) {
    if (pull.headRef !== branch || pull.state !== 'open' || pull.isFork) continue
    tell(play, { ...pull, number, headSha: commit.sha })
  }
  if (definition !== null) await upload(play, commit, definition, {})
}

async function upload(
  play: Play,
  commit: ModelCommit,
  definition: ModelDefinition,
  { asPull }: { readonly asPull?: CodehostPullRequest },
): Promise<void> {
  const { checks } = play
  checks.passMs(1000)
  const merge = 'f'.repeat(40)
  checks.host.parents.set(merge, ['e'.repeat(40), commit.sha])
  const body = { definition: toSchema(definition), ...(asPull && { sha: commit.sha }) }
  const { status, text } = await checks.upload(
    body,
    asPull === undefined
      ? { sha: commit.sha, ref: `refs/heads/${commit.branch}` }
      : { sha: merge, pullRequest: asPull.number },
  )
  if (status !== 200) throw new Error(`The upload was refused: ${text}`)
  commit.definition = definition
  if (commit.place === 0) commit.place = ++play.uploads
}

async function uploadAgain(
  play: Play,
  { pick, definition, ...step }: Extract<ChecksStep, { do: 'uploadAgain' | 'uploadByToken' }>,
): Promise<void> {
  if (step.do === 'uploadAgain') {
    const commit = pickOf(
      [...play.commits.values()].filter(({ isFork }) => !isFork),
      pick,
    )
    const again = definition ?? commit?.definition
    if (commit !== undefined && again !== undefined) await upload(play, commit, again, {})
    return
  }
  const asPull = pickOf(play.pulls.values(), pick)
  const commit = play.commits.get(asPull?.headSha ?? '')
  if (asPull === undefined || commit === undefined || definition === null) return
  await upload(play, commit, definition, { asPull })
}

async function setValue(play: Play, { pick, key, value }: SetStep): Promise<void> {
  const environment = pickOf(play.environments, pick)
  if (environment === undefined) return
  const { app, schemaId } = play.checks
  const of = { schemaId, environmentId: environment.id }
  const answer =
    value === null
      ? await app.call(
          'm2m',
          `DELETE /config-values?schemaId=${schemaId}&environmentId=${environment.id}&keys=${key}`,
        )
      : await app.call('m2m', 'PUT /config-values', { body: { ...of, values: { [key]: value } } })
  if (answer.status >= 300) return
  if (value === null) environment.values.delete(key)
  else environment.values.set(key, value)
}

async function pushSchema(play: Play, definition: ModelDefinition): Promise<void> {
  const { app, schemaId } = play.checks
  const body = { schema: toSchema(definition), force: true }
  const { status, body: problem } = await app.call('m2m', `PUT /config-schemas/${schemaId}`, {
    body,
  })
  if (status < 300) return
  // Values of an earlier time stay as they are stored.
  const returns: string[] = problem.returns ?? []
  const returning = Object.fromEntries(returns.map((key) => [key, 'restore']))
  await app.ok('m2m', `PUT /config-schemas/${schemaId}`, { body: { ...body, returning } })
}

async function reparent(
  play: Play,
  { pick, parent }: Extract<ChecksStep, { do: 'reparent' }>,
): Promise<void> {
  const environment = pickOf(play.environments, pick)
  const to = pickOf([...play.environments.map(({ id }) => id), null], parent) ?? null
  if (environment === undefined) return
  const { status } = await play.checks.app.call('m2m', `PATCH /environments/${environment.id}`, {
    body: { parentId: to },
  })
  if (status < 300) environment.parentId = to
}

async function addEnvironment(play: Play): Promise<void> {
  if (play.environments.length > 4) return
  const name = `made-${String(play.environments.length)}`
  const id = await play.checks.app.addEnvironment(name)
  play.environments.push({ id, name, parentId: null, values: new Map() })
}

/** Changes a pull request at the host, which sends an event. */
function tell(play: Play, pull: CodehostPullRequest): void {
  play.clock += 1000
  // The clock of the host is that of the service, which the steps move.
  const told = {
    ...pull,
    updatedAt: new Date(play.checks.deps.now().getTime() + play.clock / 1000),
  }
  play.pulls.set(pull.number, told)
  play.checks.host.pulls.set(`42 ${String(pull.number)}`, told)
  play.events.push(told)
}

function openPull(play: Play, { branch, fork }: Extract<ChecksStep, { do: 'open' }>): void {
  const head = fork ? makeCommit(play, branch, true).sha : play.heads.get(branch)
  const isOpen = [...play.pulls.values()].some(
    (pull) => pull.headRef === branch && pull.state === 'open' && pull.isFork === fork,
  )
  if (head === undefined || isOpen || (branch === 'main' && !fork)) return
  const number = play.pulls.size + 1
  tell(play, {
    number,
    url: null,
    state: 'open',
    headSha: head,
    headRef: branch,
    isFork: fork,
    updatedAt: new Date(0),
  })
}

function changePull(play: Play, step: Extract<ChecksStep, { do: 'change' | 'pushFork' }>): void {
  const pull = pickOf(play.pulls.values(), step.pick)
  if (pull === undefined) return
  if (step.do === 'pushFork') {
    if (!pull.isFork || pull.state !== 'open') return
    tell(play, { ...pull, headSha: makeCommit(play, pull.headRef, true).sha })
    return
  }
  // A merged one stays merged. One that opens again has the head that its branch has by then.
  if (pull.state === 'merged' || pull.state === step.to) return
  const head = pull.isFork ? pull.headSha : (play.heads.get(pull.headRef) ?? pull.headSha)
  tell(play, { ...pull, state: step.to, headSha: step.to === 'open' ? head : pull.headSha })
}

async function deliver(
  play: Play,
  { pick, how }: Extract<ChecksStep, { do: 'deliver' }>,
): Promise<void> {
  const event = pickOf(play.events, pick)
  // One that never came is sent again by the log of the host, at some time.
  if (event === undefined || how === 'never') return
  play.events.splice(play.events.indexOf(event), 1)
  await play.checks.tell(event)
  if (how === 'twice') await play.checks.tell(event)
}

async function deploy(
  play: Play,
  { pick, environment: place }: Extract<ChecksStep, { do: 'deploy' }>,
): Promise<void> {
  const commit = pickOf(
    [...play.commits.values()].filter(({ isFork }) => !isFork),
    pick,
  )
  const environment = pickOf(play.environments, place)
  if (commit === undefined || environment === undefined) return
  await play.checks.deploy(commit.sha, environment.id)
  play.live.set(environment.id, commit.sha)
}

async function compare({ checks, pending }: Play): Promise<void> {
  await recheckDue(checks.deps)
  for (const id of checks.reports.splice(0)) pending.add(id)
}

/** Does the jobs that wait. One that fails waits again, as its queue has it. */
async function report(play: Play): Promise<void> {
  const { checks, pending } = play
  for (const id of checks.reports.splice(0)) pending.add(id)
  const waiting = [...pending]
  for (const id of waiting) {
    pending.delete(id)
    await writeStatus(checks.deps, { orgId: checks.app.orgId, id }).catch(() => pending.add(id))
    for (const more of checks.reports.splice(0)) pending.add(more)
  }
}

/** Ends a comparison before its commit, as the end of the process does. */
async function cutOff(play: Play): Promise<void> {
  const { jobs } = play.checks.deps
  const { enqueueAll } = jobs
  Object.assign(jobs, { enqueueAll: () => Promise.reject(new Error('The process has ended')) })
  await recheckDue(play.checks.deps).catch(() => undefined)
  Object.assign(jobs, { enqueueAll })
}

/** Lets a minute pass in which nothing happens but what the service does by itself. */
async function settle(play: Play): Promise<void> {
  for (const event of play.events.splice(0).toReversed()) await play.checks.tell(event)
  play.failures = 0
  play.slowWrite = undefined
  for (let seconds = 0; seconds < 60; seconds += 20) {
    play.checks.passMs(20_000)
    await compare(play)
    await report(play)
    await report(play)
  }
}

async function judge(play: Play): Promise<void> {
  const uploaded = [...play.commits.values()].filter(({ definition }) => definition !== undefined)
  for (const commit of uploaded) {
    const { sha } = commit
    const check = await play.checks.checkOf(sha)
    const isOpen = expectOpen(play, commit)
    if (isOpen !== undefined && (check.state === 'open') !== isOpen)
      throw new Error(`${sha} is ${String(check.state)}, and has to be open: ${String(isOpen)}`)
    const written = play.checks.host.written.filter((status) => status.sha === sha)
    if (commit.isFork && written.length > 0)
      throw new Error(`A status of the fork ${sha} was written`)
    if (isOpen === true) await judgeOpen(play, commit, { check, last: written.at(-1) })
  }
}

interface OpenCheck {
  readonly check: Found
  readonly last: CommitStatus | undefined
}

/** Compares what an open check says, and what stands beside its commit, with what has to be there. */
async function judgeOpen(
  play: Play,
  commit: ModelCommit,
  { check, last }: OpenCheck,
): Promise<void> {
  const { sha } = commit
  const expected = expectResults(play, commit)
  const found = toComparable(check)
  const wanted = JSON.stringify(expected.toSorted(byEnvironment))
  if (found !== wanted) throw new Error(`${sha} says ${found}, and has to say ${wanted}`)
  if (commit.isFork) return
  const conclusion = expectConclusion(expected)
  if (last?.state !== conclusion)
    throw new Error(`Beside ${sha} stands ${String(last?.state)} instead of ${conclusion}`)
  if (last.title !== (await titleOf(check)))
    throw new Error(`Beside ${sha} stands what is no longer true: ${last.title}`)
}

type Found = Awaited<ReturnType<ChecksApp['checkOf']>>

async function titleOf(check: Found): Promise<string> {
  const { describeCheck } = await import('../commit-check.ts')
  return describeCheck(check.schemas).title
}

const byEnvironment = (one: { environmentId: string }, other: { environmentId: string }) =>
  one.environmentId < other.environmentId ? -1 : 1

function toComparable(check: Found): string {
  interface Shown {
    readonly environmentId: string
    readonly missing: string[]
    readonly invalid: { key: string }[]
    readonly breaking: { key: string }[]
  }
  const environments: Shown[] = check.schemas[0]?.environments ?? []
  const keysOf = (of: { key: string }[]) => of.map(({ key }) => key).toSorted()
  return JSON.stringify(
    environments
      .map(({ environmentId, missing, invalid, breaking }) => ({
        environmentId,
        missing: missing.toSorted(),
        invalid: keysOf(invalid),
        breaking: keysOf(breaking),
      }))
      .toSorted(byEnvironment),
  )
}
