import { NatsUpstreamError, type NatsUpstreamErrorReason } from './nats-upstream-error.ts'

/** Describes how this process publishes to NATS. */
export interface Publication {
  /** Counts since NATS last had everything that this process knows of, or since the process began to publish. */
  readonly ageSeconds: number
  /** Holds what the last try failed by; `undefined` while it succeeds. */
  readonly failure: unknown
  /** Names the release of the server that this process is connected with; `undefined` while there is none. */
  readonly serverVersion: string | undefined
}

/** Releases before this one lost streams when the process was killed. */
const oldest = [2, 10, 23] as const

/** Says what to do about a nats-server that is older than the guide allows; `undefined` where it is not. */
export function explainOldServer(version = ''): string | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  // A build of one's own may be called anything.
  if (parts.length === 0) return undefined
  const at = oldest.findIndex((least, index) => Number(parts[index]) !== least)
  if (at === -1 || Number(parts[at]) > (oldest[at] ?? 0)) return undefined
  return `nats-server ${version} loses streams when its process is killed. Install ${oldest.join('.')} or newer.`
}

/** Names no address: anybody may read the readiness, and the addresses are of the operator's network. */
const reasons: Record<NatsUpstreamErrorReason, string> = {
  away: 'NATS cannot be reached.',
  silent: 'NATS did not answer in time.',
  nobody: 'JetStream does not answer: it may be off, or be electing a leader.',
  refused: 'NATS refused a request: it may be full, or this user may lack a permission.',
}

/** Describes for the readiness of a process whether its changes reach NATS. They are safe in the database, so it stays ready. */
export function describePublication(
  { ageSeconds, failure, serverVersion }: Publication,
  audience: 'anybody' | 'operator',
): { readonly ok: boolean; readonly detail: string; readonly warning?: true } {
  const old = explainOldServer(serverVersion)
  if (failure !== undefined) {
    const reason = explainFailure(failure, audience)
    const detail = `Publishing to NATS has failed for ${ageSeconds} s: ${reason} Nodes that NATS feeds keep what they have until it is back.`
    return { ok: true, detail, warning: true }
  }
  if (old !== undefined) return { ok: true, detail: old, warning: true }
  return { ok: true, detail: `NATS had everything ${ageSeconds} s ago.` }
}

function explainFailure(failure: unknown, audience: 'anybody' | 'operator'): string {
  if (!(failure instanceof NatsUpstreamError)) return 'the log of this process says why.'
  return audience === 'operator' ? failure.message : reasons[failure.reason]
}
