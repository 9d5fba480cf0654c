import { useNavigate, useSearch } from '@tanstack/react-router'
import { Contact } from 'lucide-react'
import { SegmentEditor } from '../configs/segments/segment-editor.tsx'
import { useSegments } from '../configs/segments/use-segments.ts'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { OpenSegment } from './open-segment.tsx'
import { readSegmentsSearch, type SegmentsSearch } from './search.ts'
import { SegmentTable } from './segment-table.tsx'

/** Shows the segments of the organization, and one of them in a drawer. */
export function SegmentsScreen() {
  const { can } = useOrganization()
  const search = useSearch({ from: '/$org/segments' })
  const navigate = useNavigate({ from: '/$org/segments' })
  const segments = useSegments()
  const open = (next: SegmentsSearch) =>
    void navigate({ search: readSegmentsSearch({ ...next }), replace: true })
  const create = () => open({ panel: 'create' })
  const mayCreate = can('developer')
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
