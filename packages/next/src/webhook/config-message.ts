/** Describes what a message about changed configuration says. */
export interface ConfigMessage {
  readonly type: 'config.changed'
  /** Holds the time of the change in ISO 8601. */
  readonly timestamp: string
  readonly data: {
    /** As `getConfig` is given it. */
    readonly orgId: string
    /** As `getConfig` is given it. */
    readonly environment: string
  }
}

/** Reads the body of a message. Answers `undefined` for any other text. */
export function readConfigMessage(body: string): ConfigMessage['data'] | undefined {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!isObject(message) || message['type'] !== 'config.changed') return undefined
  const { data } = message
  if (!isObject(data)) return undefined
  const { orgId, environment } = data
  if (typeof orgId !== 'string' || typeof environment !== 'string') return undefined
  return { orgId, environment }
}

function isObject(it: unknown): it is Readonly<Record<string, unknown>> {
  return typeof it === 'object' && it !== null
}
