import { divideServe, type Serve } from '@signalbox/contract'

/** Alternates, so that neighbours differ. The text above the bar names each part. */
const fills = ['fill-accent', 'fill-ok', 'fill-warn'] as const

const buckets = 100_000

/** Draws a division as one bar. The text above it has the numbers. */
export function SplitBar({ serve }: { readonly serve: Serve }) {
  const { shares } = divideServe(serve)
  const isShare = typeof serve === 'object' && 'percent' in serve
  return (
    <svg aria-hidden className="mt-1 h-1.5 w-full rounded-full bg-line">
      {shares.map(({ served, from, below }, index) =>
        // The ground stands for users outside of a share.
        isShare && served === false ? null : (
          <rect
            key={from}
            x={`${(from * 100) / buckets}%`}
            width={`${((below - from) * 100) / buckets}%`}
            height="100%"
            className={fills[index % fills.length]}
          />
        ),
      )}
      {/* In forced colours all parts are alike. */}
      {shares.slice(1).map(({ from }) => (
        <line
          key={from}
          x1={`${(from * 100) / buckets}%`}
          x2={`${(from * 100) / buckets}%`}
          y2="100%"
          className="stroke-panel stroke-2"
        />
      ))}
    </svg>
  )
}

/** Marks a part of a split with its colour in the bar. */
export function PartMark({ colour }: { readonly colour: number }) {
  return (
    <svg aria-hidden className="mt-2 size-3.5 shrink-0">
      <rect rx="3" width="100%" height="100%" className={fills[colour % fills.length]} />
    </svg>
  )
}
