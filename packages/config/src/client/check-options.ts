import { isId } from '@signalbox/contract'
import { HintedError } from '../hinted-error.ts'

interface RequiredOptions {
  readonly serverUrl: string
  readonly token: string
  readonly schemaId: string
  readonly environmentId: string
}

/**
 * Refuses what no server can answer, before it is asked: an empty variable would otherwise look like a wrong key, and
 * flags would be false for ever.
 *
 * @throws {ConfigError} `invalid`, with the option and the environment variable that the guide reads it from.
 */
export function checkOptions(options: RequiredOptions): void {
  for (const { option, variable, is, form } of required) {
    // A program in JavaScript may leave it out.
    const value: string | undefined = options[option]
    if (value !== undefined && is(value)) continue
    const fault = value ? `is not ${form.what}` : 'is empty'
    throw new HintedError(
      'invalid',
      `The option ${option} ${fault}`,
      `It has to be ${form.what}, such as ${form.example}. If it comes from the environment, as ${variable} does in the ` +
        `guide, is that set here? ${form.source}`,
    )
  }
}

const isHttpUrl = (text: string) => /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text)
const printed = '"signalbox push" prints it.'

const required = [
  {
    option: 'serverUrl',
    variable: 'SIGNALBOX_URL',
    is: isHttpUrl,
    form: {
      what: 'an address with http:// or https://, without credentials and query',
      example: 'http://127.0.0.1:4401',
      source: 'The server prints it when it starts.',
    },
  },
  {
    option: 'token',
    variable: 'SIGNALBOX_TOKEN',
    // No more than what a header can carry: access tokens are not ours alone to give a form.
    is: (text: string) => /^[\x21-\x7e]+$/.test(text),
    form: {
      what: 'a whole key, without spaces and line ends',
      example: 'sbx_m2m_ and 46 letters and digits',
      source: 'The setup page shows it once.',
    },
  },
  {
    option: 'schemaId',
    variable: 'SIGNALBOX_SCHEMA_ID',
    is: (text: string) => isId('sch', text),
    form: { what: 'an id, not a name', example: 'sch_01jd2m4x9k0000000000000000', source: printed },
  },
  {
    option: 'environmentId',
    variable: 'SIGNALBOX_ENVIRONMENT_ID',
    is: (text: string) => isId('env', text),
    form: { what: 'an id, not a name', example: 'env_01jd2m4x9k0000000000000000', source: printed },
  },
] as const
