export { ConfigError, type ConfigErrorCode } from './config-error.ts'
export type { ConfigValue } from '@signalbox/contract'
export type {
  AnyConfig,
  BrowserKey,
  Config,
  FlagKey,
  KnownValues,
  LimitRange,
  LimitRanges,
  NoKeys,
  NothingRegistered,
  PublicKey,
  ReadableKey,
  Register,
  Registered,
  RegisteredKeys,
  SecretKey,
  Unregistered,
  Validators,
  Value,
} from './config-types.ts'
export { declaredDefaults } from './declared-defaults.ts'
export { declaredLimits } from './declared-limits.ts'
export { defineConfig } from './define-config.ts'
export type { Definition } from './definition-types.ts'
export { boolean, type BooleanOptions } from './validators/boolean.ts'
export { fromJsonSchema, type FromJsonSchema } from './validators/from-json-schema.ts'
export { number, type NumberOptions } from './validators/number.ts'
export { oneOf, type OneOfOptions } from './validators/one-of.ts'
export { string, type StringOptions } from './validators/string.ts'
export {
  flag,
  limit,
  targeted,
  type LimitOptions,
  type VariantOptions,
  type VariantsOptions,
} from './validators/targeted.ts'
export { typed, type TypedOptions } from './validators/typed.ts'
export type { MadeValidator, Validator } from './validators/validator.ts'
export { optional, withStoredDefault } from './validators/wrapped.ts'
