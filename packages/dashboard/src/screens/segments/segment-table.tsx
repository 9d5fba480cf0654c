import { countFlags } from '../configs/segments/count-flags.ts'
import type { SegmentSummary } from '../configs/segments/use-segments.ts'
import { LongText } from '../../components/long-text.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'

interface SegmentTableProps {
  readonly segments: readonly SegmentSummary[]
  readonly onOpen: (name: string) => void
}

/** Lists the segments: who is in each, and how many flags use it. */
export function SegmentTable({ segments, onOpen }: SegmentTableProps) {
  return (
    <div className="min-w-0 overflow-x-auto rounded-lg border border-line bg-panel">
      <Table
        columns={[
          { title: 'Segment', className: 'w-1/4' },
          { title: 'Who is in it', className: 'w-2/5' },
          'Used by',
          'Changed',
        ]}
      >
        {segments.map(({ name, description, text, flags, updatedAt, updatedBy }) => (
          <Row key={name}>
            <Cell className="sm:max-w-72">
              <button
                type="button"
                className="min-h-7 text-left font-medium text-accent wrap-anywhere hover:underline"
                onClick={() => onOpen(name)}
              >
                {name}
              </button>
              {description !== '' && (
                <span className="block text-sm wrap-anywhere text-muted">
                  <LongText text={description} />
                </span>
              )}
            </Cell>
            <Cell className="wrap-anywhere sm:max-w-96">
              <LongText text={text} />
            </Cell>
            <Cell>{flags === 0 ? 'No flag' : countFlags(flags)}</Cell>
            <Cell className="wrap-anywhere">
              <Age at={updatedAt} /> <span className="text-muted">by {updatedBy.name}</span>
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}
