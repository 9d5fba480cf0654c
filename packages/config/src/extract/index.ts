export { extractSchema, isConfig, type ExtractSchemaOptions } from './extract-schema.ts'
export type {
  Extraction,
  ExtractionViolation,
  Fact,
  FactSource,
  KeyReport,
  Resolve,
} from './extraction.ts'
export { findBrokenRule } from './find-broken-rule.ts'
export { importFrom } from './import-from.ts'
export { validateWithin, validatorLimitMs, type ValidationOutcome } from './validate.ts'
