import type { Clock } from './clock.ts'
import type { Faults } from './http/faults.ts'
import type { RequestLog } from './http/request-log.ts'
import type { Participant, PlayedProvider, Setting, Switch } from './models/stand-in.ts'
import type { Scheduler } from './scheduler.ts'
import type { Stage } from './stage/create-stage.ts'
import type { standIns } from './stand-ins.ts'

type StandIns = typeof standIns

/** Holds the running providers, by their names. */
export type Providers = {
  readonly [Name in keyof StandIns]: ReturnType<StandIns[Name]['create']>
}

/** Lists the addresses that replace those of the real providers in the product's settings. */
export type SandboxAddresses = Readonly<
  Record<{ [Name in keyof StandIns]: keyof StandIns[Name]['addresses'] }[keyof StandIns], string>
>

/** Marks what the push page offers where the provider takes part. */
export type Of<Offer> = Offer & { readonly of: string }

/** Describes the pretended providers at one address of this machine, with everything in memory. */
export interface Sandbox extends Providers {
  /** Example: `http://127.0.0.1:4500`. */
  readonly origin: string
  readonly addresses: SandboxAddresses
  readonly clock: Clock
  readonly faults: Faults
  readonly log: RequestLog
  readonly providers: readonly PlayedProvider[]
  /** Runs the steps that happen after a delay. */
  readonly scheduler: Scheduler
  /** Plays a company that pushes, deploys and tests. */
  readonly stage: Stage
  /** Lists who can take part. The first of a kind is usual. */
  readonly cast: readonly Participant[]
  readonly switches: readonly Of<Switch>[]
  readonly settings: readonly Of<Setting>[]
  /** Lists the providers that take part in the story, which the push page links to. They stay with a reset. */
  participants: readonly string[]
  /** Returns the settings with which the product uses these providers, by the names of environment variables. */
  settingsOf(names: readonly string[]): Readonly<Record<string, string>>
  /** Enters the addresses of the product, which answers at `service`, at these providers, as an operator does once. */
  register(service: string, names: readonly string[]): Promise<void>
  /** Restores the seed, the real time, and empty lists of faults and requests. */
  reset(): void
  close(): Promise<void>
}
