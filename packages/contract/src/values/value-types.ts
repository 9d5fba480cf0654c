/** Lists the types that a key can have. */
export const valueTypes = ['string', 'number', 'boolean', 'json'] as const
export type ValueType = (typeof valueTypes)[number]
/** Describes a value of a key of the type `json`: an object or a list. */
export type JsonValue = Readonly<Record<string, unknown>> | readonly unknown[]
/** Describes a value of a key. */
export type ConfigValue = string | number | boolean | JsonValue
