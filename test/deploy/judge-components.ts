import { Spec, Validation } from '@cyclonedx/cyclonedx-library'

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5)

/**
 * Returns what the schema of CycloneDX 1.5 finds wrong with a list of components, the identifiers of licenses among it; empty for
 * a valid one. `JsonStrictValidator` also refuses members that the schema doesn't know.
 *
 * @see https://cyclonedx.org/docs/1.5/json/
 */
export async function judgeComponents(text: string): Promise<readonly unknown[]> {
  const errors: unknown = await validator.validate(text)
  return Array.isArray(errors) ? errors : []
}
