import { SelectField } from '../components/field.tsx'

/** Lists how long keys and tokens last, in days, as a form sends it. */
export const expiryOptions = (
  <>
    <option value="30">in 30 days</option>
    <option value="90">in 90 days</option>
    <option value="365">in a year</option>
  </>
)

/** Asks when a new key or token expires. */
export function ExpiryField({ help }: { readonly help?: string }) {
  return (
    <SelectField label="Expires" name="days" defaultValue="90" help={help}>
      {expiryOptions}
      <option value="">never</option>
    </SelectField>
  )
}
