import type { ConfigValue, KeyNotes } from '@signalbox/contract'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { ConfigError } from '../config-error.ts'
import { violationOf, type Fragment } from '../json-schema/fragment.ts'

/** Describes a validator for every tool that takes Standard Schema or Standard JSON Schema. */
export interface Validator<Input, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>
}

/**
 * Describes a validator made of another one. A type with a name, so that a definition compiles with `declaration: true`.
 */
export interface MadeValidator<Input, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output>
}

/** Resolves to the input of a validator with these options: with a default it is optional. */
export type InputOf<Options, T> = Options extends { readonly default: ConfigValue }
  ? T | undefined
  : T

/** Returns the notes among the options of a validator. */
export function notesOf({
  owner,
  tags,
  expires,
  killSwitch,
  rotateEvery,
  runbook,
  expectedToDiffer,
  variable,
}: KeyNotes): KeyNotes {
  return { owner, tags, expires, killSwitch, rotateEvery, runbook, expectedToDiffer, variable }
}

const targets: Readonly<Record<string, string>> = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

function toJsonSchema(fragment: Fragment, target: string): Record<string, unknown> {
  const $schema = targets[target]
  if ($schema === undefined) throw new ConfigError('invalid', `No JSON Schema for ${target}`)
  const { schema, ...own } = fragment
  const all = own.type === 'json' ? { ...own, type: ['object', 'array'], ...schema } : own
  const known = Object.entries(all).filter(([, value]) => value !== undefined)
  return { $schema, ...Object.fromEntries(known) }
}

/** Creates a validator from `fragment`. @throws {ConfigError} `invalid` when its default is not valid itself. */
export function createValidator<Input, Output>(fragment: Fragment): Validator<Input, Output> {
  const violation =
    fragment.default === undefined ? undefined : violationOf(fragment, fragment.default)
  if (violation !== undefined) throw new ConfigError('invalid', `The default ${violation}`)
  const convert = ({ target }: StandardJSONSchemaV1.Options) => toJsonSchema(fragment, target)
  return {
    '~standard': {
      version: 1,
      vendor: 'signalbox',
      validate(input) {
        const value = input === undefined ? fragment.default : input
        const message = violationOf(fragment, value)
        if (message !== undefined) return { issues: [{ message }] }
        // The fragment says the type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return { value: value as Output }
      },
      jsonSchema: { input: convert, output: convert },
    },
  }
}
