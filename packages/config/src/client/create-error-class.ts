import type { ConfigError, ConfigErrorCode } from '../config-error.ts'
import { AdvisedError } from '../advised-error.ts'
import { nearNames } from './near-names.ts'

interface ServerAccess {
  readonly serverUrl: string
  readonly token: string
}

/** Returns the error class of a client. Its advice depends on the kind of key that the client reads with. */
export function createErrorClass(access: ServerAccess): typeof ConfigError {
  return class ConfigError extends AdvisedError {
    constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
      super(code, message + nearNames(message, options?.cause), advice[code](access), options)
    }
  }
}

const advice: Readonly<Record<ConfigErrorCode, (access: ServerAccess) => string>> = {
  unauthorized: () =>
    'Set the option token (SIGNALBOX_TOKEN) to a valid server key of this server, sbx_m2m_….',
  forbidden: () =>
    'Use a key that may read this schema and this environment, or ask an admin to extend this one.',
  not_found: () =>
    'Compare the options schemaId and environmentId with what "signalbox push" and "signalbox environments list" print. ' +
    'The key must belong to the same organization. A new schema exists after the first push.',
  unreachable: ({ serverUrl }) =>
    `Check that Signalbox is running and that the option serverUrl (${serverUrl}) is its address. The client keeps trying.`,
  invalid: ({ serverUrl }) =>
    `Another program answers instead of Signalbox. Check the proxies between here and ${serverUrl}.`,
  untrusted: ({ serverUrl }) =>
    `The client keeps its values. Compare the option keys of verify() with "signalbox publisher-keys". If they are right, something between here and ${serverUrl} changes or replays snapshots.`,
  unknown_key: ({ token }) =>
    token.startsWith('sbx_b2m_')
      ? "A browser key (sbx_b2m_…) can't read secrets: use a server key (sbx_m2m_…). Any other key needs a value: " +
        '"signalbox set", or the option defaults.'
      : 'Declare it in signalbox.config.ts and "signalbox push", then give it a value: "signalbox set", or the option ' +
        'defaults, where an optional key may be undefined. A snapshot taken before ready() holds defaults only.',
}
