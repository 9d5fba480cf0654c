import { Plus } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { everywhere, useOrganization } from '../../../session/organization.ts'
import { useNewSegment } from './new-segment-context.ts'
import { useSegments } from './use-segments.ts'

interface SegmentPickerProps {
  /** Names the chosen segment. Empty: none is chosen. */
  readonly name: string
  /** Refers to the error of the choice. */
  readonly errorId: string | undefined
  readonly onPick: (name: string) => void
}

/** Renders the choice among the segments of the organization, and the way to a new one. */
export function SegmentPicker({ name, errorId, onPick }: SegmentPickerProps) {
  const { may } = useOrganization()
  const { data } = useSegments()
  const create = useNewSegment()
  const names = data?.map((segment) => segment.name) ?? []
  // A segment that is gone, or still being loaded, is what the rule says.
  const all = name === '' || names.includes(name) ? names : [name, ...names]
  const isNone = data !== undefined && all.length === 0
  return (
    <>
      <select
        data-first=""
        aria-label="Segment"
        aria-invalid={errorId === undefined ? undefined : true}
        aria-describedby={errorId}
        className="control flex-1 basis-40 sm:basis-32"
        value={name}
        onChange={({ target }) => onPick(target.value)}
      >
        <option value="" disabled>
          {isNone ? 'No segment yet' : 'Choose a segment'}
        </option>
        {all.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {create !== undefined && may('writeValues', everywhere) && (
        <Button icon={Plus} onClick={() => create(onPick)}>
          New segment
        </Button>
      )}
    </>
  )
}
