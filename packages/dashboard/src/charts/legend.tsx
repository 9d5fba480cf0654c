import { useId } from 'react'
import type { BarSeries } from './stack-series.ts'
import { Texture } from './texture.tsx'

/** Explains the colors and textures of a chart. */
export function Legend({ series }: { readonly series: readonly BarSeries[] }) {
  const id = useId()
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {series.map(({ name, color, texture }, at) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <svg aria-hidden width={12} height={12}>
            <defs>
              <Texture id={`${id}${at}`} color={color} texture={texture} />
            </defs>
            <rect width={12} height={12} rx={2} fill={`url(#${id}${at})`} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
