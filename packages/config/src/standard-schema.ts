import type { StandardSchemaV1 } from '@standard-schema/spec'

/** Returns the member `name` of any value, or `undefined`. */
export function memberOf(value: unknown, name: PropertyKey): unknown {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return holds ? Reflect.get(value, name) : undefined
}

/** Returns whether `value` is a Standard Schema. Validators of some libraries are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const standard = memberOf(value, '~standard')
  return memberOf(standard, 'version') === 1 && typeof memberOf(standard, 'validate') === 'function'
}

/** Returns why `value` cannot be the validator of a key and what to write instead, or `undefined` when it can. */
export function validatorViolation(value: unknown): string | undefined {
  if (isStandardSchema(value)) {
    return value['~standard'].vendor === 'yup'
      ? 'yup validates in promises and turns "5" into 5: use another validator, such as string() of @signalbox/config'
      : undefined
  }
  if (Array.isArray(value) && isStandardSchema(value[0])) {
    return "a default of arktype belongs to a member of an object: typed('string', type('string'), { default: 'x' })"
  }
  if (memberOf(value, 'ast') !== undefined) {
    return 'wrap an effect schema: Schema.toStandardSchemaV1(schema)'
  }
  if (
    ['string', 'number', 'integer', 'boolean', 'object', 'array'].includes(
      String(memberOf(value, 'type')),
    )
  ) {
    return 'wrap a JSON Schema: fromJsonSchema(schema)'
  }
  return 'give a Standard Schema validator, such as string() of @signalbox/config or z.string()'
}
