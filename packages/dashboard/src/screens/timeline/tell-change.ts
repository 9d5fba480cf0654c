import type { Change } from '@signalbox/contract/rest'
import { FlaskConical, Flag, Rocket, SlidersHorizontal, type LucideIcon } from 'lucide-react'

interface KindLook {
  readonly word: string
  readonly icon: LucideIcon
}

export const kindLooks: Readonly<Record<Change['kind'], KindLook>> = {
  deployment: { word: 'Deployment', icon: Rocket },
  test_run: { word: 'Tests', icon: FlaskConical },
  config_version: { word: 'Configuration', icon: SlidersHorizontal },
  flag_flip: { word: 'Flag', icon: Flag },
}

const keysShown = 3

/** What a version did to its keys: `newCheckout on`, `apiUrl changed, maxItems added`, `… and 4 more`. Nothing for what is no version. */
export function tellKeys({ configuration }: Pick<Change, 'configuration'>): string {
  if (configuration === null) return ''
  const { changes, total } = configuration
  const told = changes.slice(0, keysShown).map(({ key, change, after }) => {
    return after === undefined ? `${key} ${change}` : `${key} ${after ? 'on' : 'off'}`
  })
  const more = total - told.length
  return more > 0 ? `${told.join(', ')} and ${more} more` : told.join(', ')
}
