import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { DocsLink } from '../../components/docs-link.tsx'
import { Page } from '../../components/page.tsx'
import { Loaded } from '../../components/states.tsx'
import { AssistantRequest } from './assistant-request.tsx'
import { toAgentRequest } from './search.ts'

const route = 'POST /oauth/authorize/review'

/** Shows the assistant that asks for access by OAuth, and lets the person allow or refuse it. */
export function AssistantScreen() {
  const search = useSearch({ from: '/person/oauth/assistant' })
  const request = useMemo(() => toAgentRequest(search), [search])
  const review = useQuery({
    queryKey: [route, request],
    queryFn: ({ signal }) => call(route, { body: request }, signal),
    // The person decides about what they have read.
    staleTime: 'static',
  })
  return (
    <Page title="Connect an assistant">
      <Loaded query={review}>
        {(assistant) => <AssistantRequest assistant={assistant} request={request} />}
      </Loaded>
      <p className="mt-4">
        <DocsLink page="assistants">What an assistant can do</DocsLink>
      </p>
    </Page>
  )
}
