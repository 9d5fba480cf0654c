import { isId } from '@signalbox/contract/client'
import { AdvisedError } from '../advised-error.ts'

interface RequiredOptions {
  readonly serverUrl: string
  readonly token: string
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
  readonly path?: string | undefined
}

/**
 * Refuses options that no server accepts before a request is sent: an empty variable would otherwise look like a
 * wrong key, and flags would be false forever.
 *
 * @throws {ConfigError} `invalid`, with the option and the environment variable that the guide reads it from.
 */
export function checkOptions(options: RequiredOptions): void {
  for (const { option, variable, is, form, example, source } of required) {
    if (options.path && option.endsWith('Id')) continue
    // Programs in JavaScript may leave it out.
    const value: string | undefined = options[option]
    if (value !== undefined && is(value)) continue
    throw new AdvisedError(
      'invalid',
      `The option ${option} ${value ? `is not ${form}` : 'is empty'}`,
      `Give it ${form}, such as ${example}. ${source} If it comes from ${variable}, check that the variable is set.`,
    )
  }
}

const required = [
  {
    option: 'serverUrl',
    variable: 'SIGNALBOX_CONFIG_URL',
    is: (text: string) => /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text),
    form: 'a URL with http:// or https://, without credentials and query',
    example: 'http://127.0.0.1:4401',
    source: 'The server prints it at its start.',
  },
  {
    option: 'token',
    variable: 'SIGNALBOX_TOKEN',
    // Accepts every text that a header can carry, because access tokens have another form than keys.
    is: (text: string) => /^[\x21-\x7e]+$/.test(text),
    form: 'a whole key, without spaces and line ends',
    example: 'sbx_m2m_ and 46 letters and digits',
    source: 'The dashboard shows it once, when you create the key.',
  },
  {
    option: 'schemaId',
    variable: 'SIGNALBOX_SCHEMA_ID',
    is: (text: string) => isId('sch', text),
    form: 'an id, not the name',
    example: 'sch_01jd2m4x9k0000000000000000',
    source: '"signalbox push" prints it and "signalbox run" sets it.',
  },
  {
    option: 'environmentId',
    variable: 'SIGNALBOX_ENVIRONMENT_ID',
    is: (text: string) => isId('env', text),
    form: 'an id, not the name',
    example: 'env_01jd2m4x9k0000000000000000',
    source: '"signalbox environments list" prints it and "signalbox run" sets it.',
  },
] as const
