import type { IntegrationKind } from '@signalbox/contract/rest'

const minuteMs = 60_000

/** Describes a provider whose refresh token changes with every use. */
export interface RotatingProvider {
  readonly kind: IntegrationKind
  /** Holds for how long the same token is good again after an answer that was lost. */
  readonly replayMs: number
  /** Counts the rejections after which the same token is tried again. */
  readonly rejections: number
}

/** Maps each provider that has a refresh to how it stands after a lost answer. A test compares the names with the connectors. */
export const rotatingProviders = {
  jira: { kind: 'tracker', replayMs: 10 * minuteMs, rejections: 0 },
  linear: { kind: 'tracker', replayMs: 30 * minuteMs, rejections: 0 },
  // Its rejection may be that of a replica that lags, so the same token is tried three times more.
  gitlab: { kind: 'codehost', replayMs: 0, rejections: 3 },
  forgejo: { kind: 'codehost', replayMs: 0, rejections: 0 },
  slack: { kind: 'chat', replayMs: 0, rejections: 0 },
} as const satisfies Readonly<Record<string, RotatingProvider>>

/** Names a provider whose refresh token changes with every use. */
export type RotatingName = keyof typeof rotatingProviders

/** Lists their names. */
export const rotatingNames = Object.keys(rotatingProviders) as readonly RotatingName[]
