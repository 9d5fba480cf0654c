import { promotionExceptions, type PromotionException } from '@signalbox/contract'
import { Checkbox } from '../../../components/field.tsx'
import type { ExceptedKeys } from './use-exceptions.ts'

interface ExceptionsFieldProps {
  /** Says what each kind is, where it may be left out. */
  readonly labels: Partial<Record<PromotionException, string>>
  readonly include: readonly PromotionException[]
  /** Lists the keys of each kind that differ. */
  readonly excepted: ExceptedKeys
  readonly onInclude: (include: readonly PromotionException[]) => void
}

const namesShown = 5

/** Names what a promotion of all keys, or a restore of a version, leaves out, and lets a person include it. */
export function ExceptionsField({ labels, include, excepted, onInclude }: ExceptionsFieldProps) {
  const offered = promotionExceptions.filter(
    (reason) => include.includes(reason) || excepted[reason].length > 0,
  )
  if (offered.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Left out unless you include it</legend>
      {offered.map((reason) => (
        <Checkbox
          key={reason}
          label={`${labels[reason]} (${excepted[reason].length})`}
          help={nameKeys(excepted[reason])}
          checked={include.includes(reason)}
          onChange={({ target }) =>
            onInclude(
              target.checked ? [...include, reason] : include.filter((one) => one !== reason),
            )
          }
        />
      ))}
    </fieldset>
  )
}

function nameKeys(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined
  const rest = keys.length - namesShown
  return `${keys.slice(0, namesShown).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}
