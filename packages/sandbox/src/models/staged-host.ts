import type {
  CodeHost,
  DeploymentOrder,
  PastDeployment,
  StagedCommit,
  StagedDeployment,
  StagedEnd,
  StagedIssue,
  StagedProposal,
  StagedState,
  StagedTests,
  TestCourse,
} from './code-host.ts'
import { reachableFrom, type GitRepository } from './git.ts'

/** Describes a code host as the stage uses it, and its shop: the repository `acme/shop` with what belongs to it. */
export interface StagedHost<Name extends string, Shop> extends CodeHost {
  readonly name: Name
  /** Returns the shop. Opens it when it is not open, with tests that nobody runs. */
  shop(): Shop
}

/** Returns the course of tests that the product has started. `undefined`: nobody has set one, and they wait. */
export type CourseOf = (tests: StagedTests) => TestCourse | undefined

/** Describes the shop of one code host. */
export interface StagedShop<Shop> {
  /** Returns the shop without commits of its own. */
  readonly openShop: (courseOf: CourseOf) => Shop
  readonly repositoryOf: (shop: Shop) => GitRepository<unknown>
  /** Says whether the shop has outlived a reset. */
  readonly isThere: (shop: Shop) => boolean
  readonly push: (
    shop: Shop,
    branch: string,
    change: { readonly commits: readonly StagedCommit[] } | { readonly to: string },
  ) => { readonly sha: string }
  readonly propose: (
    shop: Shop,
    proposal: StagedProposal,
  ) => { readonly number: number; readonly sha: string }
  readonly issues: (shop: Shop) => readonly StagedIssue[]
  readonly openIssue: (shop: Shop, title: string) => void
}

/** Describes how one code host deploys. */
export interface StagedDeployments<Shop, Run, Deployment> {
  /** Makes a deployment that succeeded before the story begins. */
  readonly release: (shop: Shop, past: PastDeployment) => void
  /** Lists what was brought to environments, oldest first. */
  readonly deployed: (shop: Shop) => readonly {
    readonly environment: string | undefined
    readonly sha: string
    readonly hasSucceeded: boolean
  }[]
  readonly requestRun: (shop: Shop, order: DeploymentOrder) => Run
  readonly startRun: (shop: Shop, run: Run) => void
  readonly finishRun: (shop: Shop, run: Run, end: StagedEnd) => void
  readonly create: (shop: Shop, order: DeploymentOrder, run: Run | undefined) => Deployment
  readonly setState: (
    shop: Shop,
    deployment: Deployment,
    to: { readonly state: SetState; readonly description: string; readonly order: DeploymentOrder },
  ) => void
  readonly idOf: (deployment: Deployment) => number
  readonly stateOf: (deployment: Deployment) => StagedState
}

/** Describes what one code host does its own way. */
export interface StagedHostSettings<Name extends string, Shop, Run, Deployment>
  extends
    StagedShop<Shop>,
    StagedDeployments<Shop, Run, Deployment>,
    Pick<CodeHost, 'title' | 'runner' | 'isConnected' | 'sendLastAgain' | 'faults' | 'releases'> {
  readonly name: Name
}

type SetState = Exclude<StagedState, 'waiting' | 'queued'>

/** Lists what is in the shop from the start, so that a rollback has a target. */
const releases = [
  ['ABC-3 Add the new checkout', 'src/checkout/new.ts'],
  ['ABC-1 Count baskets', 'src/basket/count.ts'],
] as const

/** Creates a code host for the stage. Its shop begins with two releases, which both went to staging and production. */
export function createStagedHost<Name extends string, Shop, Run, Deployment>(
  host: StagedHostSettings<Name, Shop, Run, Deployment>,
): StagedHost<Name, Shop> {
  let course: CourseOf | undefined
  let open: Shop | undefined
  const shop = (): Shop => {
    if (open !== undefined && host.isThere(open)) return open
    const newShop = host.openShop((tests) => course?.(tests))
    open = newShop
    for (const [message, path] of releases) {
      const { sha } = host.push(newShop, 'main', { commits: [{ message, modified: [path] }] })
      for (const environment of ['staging', 'production']) {
        host.release(newShop, { environment, sha, message })
      }
    }
    return newShop
  }
  const deployedTo = (name: string) =>
    host.deployed(shop()).filter(({ environment }) => environment === name)
  const liveIn = (environment: string) =>
    deployedTo(environment).findLast(({ hasSucceeded }) => hasSucceeded)?.sha
  const { name, title, runner, isConnected, faults } = host
  return {
    name,
    title,
    runner,
    isConnected,
    faults,
    shop,
    open(decide) {
      course = decide
      shop()
    },
    push: (branch, change) => host.push(shop(), branch, change).sha,
    propose: (proposal) => host.propose(shop(), proposal),
    findOlder(environment) {
      const { commits, branches } = host.repositoryOf(shop())
      const live = liveIn(environment) ?? branches.get('main') ?? ''
      const before = reachableFrom({ commits }, live)
      const older = deployedTo(environment).findLast(({ sha }) => sha !== live && before.has(sha))
      return older?.sha ?? commits.get(live)?.parents[0] ?? live
    },
    findLive(environment) {
      const commit = host.repositoryOf(shop()).commits.get(liveIn(environment) ?? '')
      return commit && { sha: commit.sha, message: commit.message }
    },
    begin: (order) => begin(host, shop(), order),
    issues: () => host.issues(shop()),
    openIssue: (subject) => host.openIssue(shop(), subject),
    sendLastAgain: () => host.sendLastAgain(),
    ...(host.releases !== undefined && { releases: host.releases }),
  }
}

function begin<Name extends string, Shop, Run, Deployment>(
  host: StagedHostSettings<Name, Shop, Run, Deployment>,
  shop: Shop,
  order: DeploymentOrder,
): StagedDeployment {
  let run: Run | undefined
  let deployment: Deployment | undefined
  return {
    id: () => (deployment === undefined ? undefined : host.idOf(deployment)),
    state: () => (deployment === undefined ? 'waiting' : host.stateOf(deployment)),
    requestRun() {
      run = host.requestRun(shop, order)
    },
    startRun() {
      if (run !== undefined) host.startRun(shop, run)
    },
    create() {
      deployment = host.create(shop, order, run)
    },
    setState(state, description) {
      if (deployment !== undefined) host.setState(shop, deployment, { state, description, order })
    },
    finishRun(end) {
      if (run !== undefined) host.finishRun(shop, run, end)
    },
  }
}
