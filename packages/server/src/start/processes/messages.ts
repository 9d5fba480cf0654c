import type { DeliveryStatus } from '../../delivery/delivery.ts'
import type { CountMessage } from '../../http/admission/node-counts.ts'
import type { MetricFigures } from '../../telemetry/join-figures.ts'
import type { Settings } from '../../settings.ts'
import type { DeliveryPorts } from '../service.ts'

/** Describes a process that is to be started. */
export interface ProcessStart {
  /** Counts from 0. The first one writes the disk cache. */
  readonly index: number
  readonly processes: number
  /** Names the ports that the processes share. */
  readonly ports: DeliveryPorts
}

/** Describes a process that serves. */
export interface ProcessStarted {
  readonly ports: DeliveryPorts
  readonly url: string
  readonly notices: readonly string[]
}

/** Describes why a process could not start, in the words of an operator's error. */
export interface ProcessFailure {
  readonly message: string
  readonly code: string
  readonly advice: string | undefined
}

/**
 * Describes the first message to a process. It has the settings of its parent, so that all processes of a node have the same, also
 * one that replaces another after a file with a setting has changed.
 */
export interface Begin {
  readonly type: 'begin'
  readonly start: ProcessStart
  readonly settings: Settings
}

/** Describes a message of the parent to a process. */
export type ToProcess =
  | Begin
  | { readonly type: 'counts'; readonly from: number; readonly counts: CountMessage }
  | { readonly type: 'status'; readonly from: number; readonly status: DeliveryStatus }
  /** Another process has ended. */
  | { readonly type: 'left'; readonly from: number }
  | { readonly type: 'measure'; readonly id: number }
  | { readonly type: 'drain'; readonly pauseMs: number }
  | { readonly type: 'close' }

/** Describes a message of a process to its parent. */
export type FromProcess =
  | { readonly type: 'alive' }
  | { readonly type: 'started'; readonly started: ProcessStarted }
  | { readonly type: 'failed'; readonly failure: ProcessFailure }
  | { readonly type: 'counts'; readonly counts: CountMessage }
  | { readonly type: 'status'; readonly status: DeliveryStatus }
  | { readonly type: 'measured'; readonly id: number; readonly figures: readonly MetricFigures[] }
