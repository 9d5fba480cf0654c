/** Describes an environment of ours. */
export interface EnvironmentName {
  readonly id: string
  readonly name: string
}

/** Describes a test run of a commit in an environment. */
export interface TestFact {
  readonly environmentId: string
  readonly name: string
  readonly state: string
  /** Another deployment went live meanwhile, or the tests were of another commit than the one that is deployed. */
  readonly isDoubtful: boolean
  readonly at: Date
}

/** Describes a time in which a commit was live in an environment. */
export interface LiveFact {
  readonly environmentId: string
  readonly from: Date
  /** `null`: it still is. */
  readonly to: Date | null
}

/** Describes what the values of one environment are for the definitions of a commit. */
export interface CheckFact {
  readonly environmentId: string
  readonly missing: readonly string[]
  readonly invalid: readonly string[]
}

/** Describes the issues of a deployment, which its commits name. */
export interface IssueFacts {
  /** The commits of the deployment have been read, and its issues have been looked up. */
  readonly areRead: boolean
  readonly issues: readonly { readonly key: string; readonly isDone: boolean }[]
}

/** Describes changes of configuration in an environment that are watched, or that have just failed. */
export interface QuietFact {
  readonly environmentId: string
  readonly watched: number
  /** `null`: none has failed in the last half hour. */
  readonly failedAt: Date | null
}

/** Describes that nothing is deployed to an environment. */
export interface FreezeFact {
  readonly until: Date
  readonly reason: string
  readonly by: string
}

/** Names a rule of a gate by its position. */
export interface RulePosition {
  readonly gateId: string
  readonly rule: number
}

/** Holds everything that a decision about one deployment depends on. */
export interface DeploymentFacts {
  readonly now: Date
  readonly repository: string
  readonly sha: string
  readonly ref: string | null
  readonly isFork: boolean
  /** `null`: the environment at the code host is none of ours. */
  readonly environment: EnvironmentName | null
  readonly freeze: FreezeFact | null
  /** Returns the name of an environment; `undefined` of one that was deleted. */
  readonly nameOf: (environmentId: string) => string | undefined
  /** Lists what was compared for the commit. `null`: no definition of it was uploaded. */
  readonly check: readonly CheckFact[] | null
  /** Lists the newest run of each name, of this commit, in each environment. */
  readonly tests: readonly TestFact[]
  readonly live: readonly LiveFact[]
  /** `null`: no deployment of the commit is known. */
  readonly issues: IssueFacts | null
  readonly quiet: readonly QuietFact[]
  /** Counts the approvals of a rule, by people who may still approve. */
  readonly approvals: (position: RulePosition) => number
}
