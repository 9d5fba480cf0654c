import { UpstreamError } from '../delivery/relay/upstream.ts'

/** Names why NATS gave no answer: no connection, none in time, nothing listens there, or a rejection. */
export type NatsUpstreamErrorReason = 'away' | 'silent' | 'nobody' | 'refused'

/** Says in one sentence why NATS gave no answer. Whether it did what was asked is unknown, unless it refused. */
export class NatsUpstreamError extends UpstreamError {
  override readonly name: string = 'NatsUpstreamError'
  readonly reason: NatsUpstreamErrorReason

  constructor(reason: NatsUpstreamErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Says that another value was stored since the one that was expected. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}
