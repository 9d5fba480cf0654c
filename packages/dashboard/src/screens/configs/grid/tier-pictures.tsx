import type { ReactNode } from 'react'
import type { Tier } from '@signalbox/contract'
import { tierWords } from '../matrix.ts'

/**
 * Creates an icon of one path. The icons are created once: a page of rows renders within one frame, and half of its
 * elements were parts of icons.
 */
function toIcon(label: string, path: string): ReactNode {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 24 24"
      className="size-3.5 shrink-0 fill-none text-muted stroke-current stroke-2 [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <path d={path} />
    </svg>
  )
}

const circle = 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0'

/** Lists the icon of each tier as plain SVG, which the many rows of the grid render faster than `tierIcons`. */
export const tierPictures: Readonly<Record<Tier, ReactNode>> = {
  public: toIcon(
    tierWords.public,
    `${circle}M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20`,
  ),
  secret: toIcon(
    tierWords.secret,
    'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4',
  ),
  featureFlags: toIcon(
    tierWords.featureFlags,
    'M4 15s1-1 4-1 5 2 8 2 4-1 4-1V3s-1 1-4 1-5-2-8-2-4 1-4 1v19',
  ),
}

/** Marks a flag that one press turns off. */
export const killSwitchPicture = toIcon('kill switch', 'M12 2v10M18.4 6.6a9 9 0 1 1-12.8 0')
