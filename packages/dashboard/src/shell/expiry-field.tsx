import { SelectField } from '../components/field.tsx'

/** Lists how long keys and tokens last, in days. */
const usualDays = [30, 90, 365]

function ExpiryOption({ days }: { readonly days: number }) {
  return <option value={days}>{days === 365 ? 'in a year' : `in ${days} days`}</option>
}

/** Lists how long keys and tokens last, in days, as a form sends it. */
export const expiryOptions = usualDays.map((days) => <ExpiryOption key={days} days={days} />)

interface ExpiryFieldProps {
  readonly help?: string | undefined
  /** Limits the days that are offered. `null`: no limit. */
  readonly most?: number | null
  /** Holds the days that are proposed. */
  readonly proposed?: number
}

/** Asks when a new key or token expires. */
export function ExpiryField({ help, most = null, proposed = 90 }: ExpiryFieldProps) {
  const chosen = Math.min(proposed, most ?? proposed)
  const offered = [...new Set([...usualDays, chosen])].filter((days) => days <= (most ?? days))
  return (
    <SelectField label="Expires" name="days" defaultValue={chosen} help={help}>
      {offered
        .toSorted((one, other) => one - other)
        .map((days) => (
          <ExpiryOption key={days} days={days} />
        ))}
      {most === null && <option value="">never</option>}
    </SelectField>
  )
}
