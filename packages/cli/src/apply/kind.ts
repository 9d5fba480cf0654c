import type { ChangeOperation } from '@signalbox/contract/rest'
import type { Confirmation } from '../changes/confirmation.ts'
import type { Violation, Path } from './violation.ts'
import type { JsonSchema } from './json-schema.ts'
import type { World } from './world.ts'

/** Holds the members of a resource in the form of the file: names in the place of ids. */
export type Fields = Readonly<Record<string, unknown>>

/** Holds one resource: its key within its kind, and its members. */
export interface Resource {
  readonly key: string
  readonly fields: Fields
  /** Holds remarks beside members, for people. Example: the name of a channel beside its id. */
  readonly remarks?: Readonly<Record<string, string>>
}

/** Holds a resource that the file declares, with its place there. */
export interface Declared extends Resource {
  readonly path: Path
}

/** Describes one change. `after` holds every member: those of the file, and the stored ones that the file leaves out. */
export type Step =
  | { readonly change: 'create'; readonly key: string; readonly after: Fields }
  | {
      readonly change: 'change'
      readonly key: string
      readonly before: Fields
      readonly after: Fields
    }
  | { readonly change: 'delete'; readonly key: string; readonly before: Fields }

/** Describes what the file changes of one kind of resource. */
export interface KindPlan {
  readonly kind: Kind
  readonly steps: readonly Step[]
  /** Says that the items of an ordered list stand in another order. */
  readonly isReordered: boolean
  /** Lists every resource after the change, in the order of the file. */
  readonly target: readonly Resource[]
  readonly unchanged: readonly string[]
  /** Lists the stored resources that the file does not name and that stay. */
  readonly unnamed: readonly string[]
}

/** Describes a change that people may have to approve. Both parts get the confirmation that protected environments require. */
export interface ApprovedChange {
  /** Carries the change out. */
  readonly call: (confirmation: Confirmation) => Promise<unknown>
  /** Returns the change as the operation of a request. */
  readonly toOperation: (confirmation: Confirmation) => ChangeOperation
}

/** Carries a change out, or adds it to those that wait for people. Returns whether it is carried out. */
export type Send = (change: ApprovedChange) => Promise<boolean>

/** Holds the world of a change, and how changes are sent that people may have to approve. */
export interface Writing {
  readonly world: World
  readonly send: Send
  /** Called after each step. */
  readonly done: (step: Step) => void
}

/**
 * Describes one kind of resource that a file declares. A new kind is one file in `kinds/` and a line in `kinds.ts`.
 */
export interface Kind {
  /** Names the member of the file. */
  readonly member: string
  /** Names one resource. Example: `notification route`. */
  readonly noun: string
  /** Describes the member. An object holds resources by their names, and an array holds them in its order. */
  readonly schema: JsonSchema
  /** Returns the key of an item of a list. Kinds whose member is an object have none. */
  readonly keyOf?: (item: unknown) => string
  /** Says that the order of the list has a meaning. */
  readonly isOrdered?: true
  /** Returns the stored resources, with every member. */
  read(world: World): Promise<readonly Resource[]>
  /** Returns declared members in the form in which they are stored, such as the id of a channel for its name. */
  normalize?(world: World, fields: Fields): Promise<Fields>
  /** Returns the violations that only the server's state shows, such as an unknown repository. Writes nothing. */
  findViolations?(world: World, declared: readonly Declared[]): Promise<readonly Violation[]>
  /** Creates and changes what the plan says. */
  write(writing: Writing, plan: KindPlan): Promise<void>
  /** Deletes what the plan says. Called after every kind has written. */
  remove(writing: Writing, plan: KindPlan): Promise<void>
  /** Says what a person does next about a resource that was created. Left out: nothing is left to do. */
  adviseOnCreated?(key: string): string
}
