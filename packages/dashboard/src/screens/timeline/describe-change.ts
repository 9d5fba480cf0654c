import type { Change } from '@signalbox/contract/rest'
import { FlaskConical, Flag, Rocket, SlidersHorizontal, type LucideIcon } from 'lucide-react'

interface KindVariant {
  readonly word: string
  readonly icon: LucideIcon
}

/** Maps each kind of change to its word and icon. */
export const kindVariants: Readonly<Record<Change['kind'], KindVariant>> = {
  deployment: { word: 'Deployment', icon: Rocket },
  test_run: { word: 'Tests', icon: FlaskConical },
  config_version: { word: 'Configuration', icon: SlidersHorizontal },
  flag_flip: { word: 'Flag', icon: Flag },
}

const keysShown = 3

/**
 * Returns the changes of a version: `newCheckout on`, `apiUrl changed, maxItems added`, `… and 4 more`. Empty for any
 * other change.
 */
export function describeKeys({ configuration }: Pick<Change, 'configuration'>): string {
  if (configuration === null) return ''
  const { changes, total } = configuration
  const entries = changes.slice(0, keysShown).map(({ key, change, after }) => {
    return after === undefined ? `${key} ${change}` : `${key} ${after ? 'on' : 'off'}`
  })
  const more = total - entries.length
  return more > 0 ? `${entries.join(', ')} and ${more} more` : entries.join(', ')
}
