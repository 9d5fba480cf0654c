/** Describes a line in a provider's log of what it sent us. */
export interface LoggedDelivery {
  /** The number of the line, by which its content is asked for. */
  readonly logId: string
  /** The id of the delivery, the same for each try. */
  readonly deliveryId: string
  readonly deliveredAt: Date
}

/** Describes what was sent, as the provider's log has it. */
export interface LoggedContent {
  readonly headers: Readonly<Record<string, string>>
  /** The payload as it was, so that no number in it loses digits. */
  readonly body: Buffer
}

/** Reads a provider's own log of webhooks, the newest line first. */
export interface DeliveryLog {
  readonly listDeliveries: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{
    readonly deliveries: readonly LoggedDelivery[]
    readonly nextCursor: string | undefined
  }>
  /** `undefined`: the provider has it no more. */
  readonly getDelivery: (logId: string, signal: AbortSignal) => Promise<LoggedContent | undefined>
}
