import type { Change } from '@signalbox/contract/rest'
import { FlaskConical, Flag, Rocket, SlidersHorizontal, type LucideIcon } from 'lucide-react'

interface KindVariant {
  readonly word: string
  readonly icon: LucideIcon
}

/** Holds how each kind of change is shown. */
export const kindVariants: Readonly<Record<Change['kind'], KindVariant>> = {
  deployment: { word: 'Deployment', icon: Rocket },
  test_run: { word: 'Tests', icon: FlaskConical },
  config_version: { word: 'Configuration', icon: SlidersHorizontal },
  flag_flip: { word: 'Flag', icon: Flag },
}

const keysShown = 3

/** Returns what a version did to its keys: `newCheckout on`, `apiUrl changed, maxItems added`, `… and 4 more`. Nothing for what is no version. */
export function describeKeys({ configuration }: Pick<Change, 'configuration'>): string {
  if (configuration === null) return ''
  const { changes, total } = configuration
  const entries = changes.slice(0, keysShown).map(({ key, change, after }) => {
    return after === undefined ? `${key} ${change}` : `${key} ${after ? 'on' : 'off'}`
  })
  const more = total - entries.length
  return more > 0 ? `${entries.join(', ')} and ${more} more` : entries.join(', ')
}
