import { UpstreamFault } from '../delivery/relay/upstream.ts'

/** Names why NATS gave no answer: no connection, none in time, nothing listens there, or a refusal. */
export type NatsFaultReason = 'away' | 'silent' | 'nobody' | 'refused'

/** Says in one sentence why NATS gave no answer. Whether it did what was asked is unknown, unless it refused. */
export class NatsFault extends UpstreamFault {
  override readonly name: string = 'NatsFault'
  readonly reason: NatsFaultReason

  constructor(reason: NatsFaultReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
