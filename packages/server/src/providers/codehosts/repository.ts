/** Describes a person as the code host knows them. */
export interface CodehostPerson {
  readonly name: string
  readonly login: string | null
}

/** Numbers of a provider are text here: they outgrow the integers of JavaScript. */
export interface CodehostRepository {
  readonly externalId: string
  /** Example: `acme/shop`. It changes; the number does not. */
  readonly fullName: string
  readonly defaultBranch: string
  readonly url: string
}

/** Describes a part of a list, and where it goes on. */
export interface CodehostPage<Item> {
  readonly items: readonly Item[]
  /** Given back as it is; `undefined` at the end. */
  readonly nextPage: string | undefined
  /** Counts what is on all pages, where the host says so. */
  readonly total?: number | undefined
}

/** Holds what is left of what the host lets an account ask until `resetsAt`. */
export interface CodehostBudget {
  readonly remaining: number
  readonly limit: number
  readonly resetsAt: Date
}
