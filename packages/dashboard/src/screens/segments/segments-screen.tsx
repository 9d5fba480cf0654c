import { useNavigate, useSearch } from '@tanstack/react-router'
import { Contact } from 'lucide-react'
import { Button, NameButton } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { everywhere, useOrganization } from '../../session/organization.ts'
import { LongText } from '../../components/long-text.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import { Age } from '../../components/time.tsx'
import { SegmentEditor } from '../configs/segments/segment-editor.tsx'
import { useSegments, type SegmentSummary } from '../configs/segments/use-segments.ts'
import { countFlags } from '../configs/segments/count-flags.ts'
import { OpenSegment } from './open-segment.tsx'
import { readSegmentsSearch, type SegmentsSearch } from './search.ts'

/** Shows the segments of the organization, and one of them in a drawer. */
export function SegmentsScreen() {
  const { may } = useOrganization()
  const search = useSearch({ from: '/$org/segments' })
  const navigate = useNavigate({ from: '/$org/segments' })
  const segments = useSegments()
  const open = (next: SegmentsSearch) =>
    void navigate({ search: readSegmentsSearch({ ...next }), replace: true })
  const create = () => open({ panel: 'create' })
  const mayCreate = may('writeValues', everywhere)
  return (
    <Page
      title="Segments"
      actions={
        mayCreate &&
        (segments.data?.length ?? 0) > 0 && (
          <Button variant="primary" onClick={create}>
            New segment
          </Button>
        )
      }
    >
      <Loaded query={segments}>
        {(all) =>
          all.length === 0 ? (
            <NoSegments mayCreate={mayCreate} onCreate={create} />
          ) : (
            <SegmentTable segments={all} onOpen={(segment) => open({ segment })} />
          )
        }
      </Loaded>
      {search.panel === 'create' && mayCreate ? (
        <SegmentEditor
          segment={undefined}
          onSaved={(segment) => open({ segment })}
          onClose={() => open({})}
        />
      ) : (
        search.segment !== undefined && (
          <OpenSegment
            key={search.segment}
            name={search.segment}
            search={search}
            onSearch={(change) => open({ ...change })}
          />
        )
      )}
    </Page>
  )
}

interface NoSegmentsProps {
  readonly mayCreate: boolean
  readonly onCreate: () => void
}

/** Replaces the list of an organization without segments: creates the first one, or says who can. */
function NoSegments({ mayCreate, onCreate }: NoSegmentsProps) {
  return (
    <EmptyState
      icon={Contact}
      title="No segments yet"
      action={
        mayCreate && (
          <Button variant="primary" onClick={onCreate}>
            Create a segment
          </Button>
        )
      }
    >
      A segment is a named group of users, such as staff, that the rules of any flag can use.
      {!mayCreate && ' Developers of this organization can create one.'}
      <p className="mt-2">
        <DocsLink page="feature-flags#segments-in-the-dashboard">About segments</DocsLink>
      </p>
    </EmptyState>
  )
}

interface SegmentTableProps {
  readonly segments: readonly SegmentSummary[]
  readonly onOpen: (name: string) => void
}

/** Lists the segments: who is in each, and how many flags use it. */
function SegmentTable({ segments, onOpen }: SegmentTableProps) {
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
              <NameButton onClick={() => onOpen(name)}>{name}</NameButton>
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
