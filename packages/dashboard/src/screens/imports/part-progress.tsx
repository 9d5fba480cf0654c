import type { ImportState } from './use-import.ts'

interface PartProgressProps {
  readonly label: string
  readonly state: Pick<ImportState, 'part' | 'parts'>
}

/** Renders how many parts of an import the server has answered. */
export function PartProgress({ label, state: { part, parts } }: PartProgressProps) {
  return (
    <div className="flex flex-col gap-1">
      <progress className="w-full accent-accent" aria-label={label} max={parts} value={part} />
      <span role="status" className="text-sm text-muted">
        {label}: part {Math.min(part + 1, parts)} of {parts}
      </span>
    </div>
  )
}
