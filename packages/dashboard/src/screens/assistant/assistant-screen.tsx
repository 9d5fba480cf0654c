import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ShieldX } from 'lucide-react'
import { call } from '../../api/call.ts'
import { DocsLink } from '../../components/docs-link.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, FormProblem, Loaded } from '../../components/states.tsx'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import { SelectField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { useMe, type Membership } from '../../session/session.ts'
import { toAgentRequest, type AgentRequest } from './search.ts'

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

type Assistant = AnswerOf<'POST /oauth/authorize/review'>
type Scope = Assistant['scope']

interface AssistantRequestProps {
  readonly assistant: Assistant
  readonly request: AgentRequest
}

/** Shows who asks for what, with the buttons to allow and to refuse. */
function AssistantRequest({ assistant, request }: AssistantRequestProps) {
  const { data: me } = useMe()
  const { clientHost, refusal } = assistant
  if (refusal !== null) {
    return (
      <EmptyState
        icon={ShieldX}
        title={`${clientHost} asks for something that is not possible`}
        action={<Button onClick={() => location.assign(refusal.redirectTo)}>Go back</Button>}
      >
        {refusal.detail} Update the assistant, or tell its authors.
      </EmptyState>
    )
  }
  if (me === undefined) return null
  if (me.organizations.length === 0) {
    return (
      <EmptyState icon={ShieldX} title="You are in no organization yet">
        Create one or ask an admin to invite you, then connect the assistant again.
      </EmptyState>
    )
  }
  return <Question {...{ assistant, request }} organizations={me.organizations} />
}

const leave = ({ redirectTo }: { readonly redirectTo: string }) => location.assign(redirectTo)

interface QuestionProps extends AssistantRequestProps {
  readonly organizations: readonly Membership[]
}

function Question({ assistant, request, organizations }: QuestionProps) {
  const [slug, setSlug] = useState(organizations.length === 1 ? organizations[0]?.slug : undefined)
  const [scope, setScope] = useState<Scope>(assistant.scope)
  const allow = useWrite('POST /organizations/{org_id}/agent-tokens/allow')
  const refuse = useWrite('POST /oauth/authorize/refuse')
  const { clientHost } = assistant
  return (
    <Panel title={`${clientHost} wants to act for you`}>
      <div className="flex max-w-2xl flex-col gap-5">
        <AssistantFacts assistant={assistant} />
        <SelectField
          label="Organization"
          value={slug ?? ''}
          onChange={({ target }) => setSlug(target.value)}
          help="The assistant reaches this organization and no other, with your role there."
        >
          {slug === undefined && <option value="">Choose one</option>}
          {organizations.map(({ slug: value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <ScopeField most={assistant.scope} scope={scope} onChange={setScope} />
        <p>
          It never sees a secret, and never changes production. Its access ends after 30 days, or
          when you end it under <em>API keys</em>.
        </p>
        <FormProblem problem={allow.error ?? refuse.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            pending={allow.isPending}
            disabled={slug === undefined}
            onClick={() =>
              slug !== undefined &&
              allow.mutate({ params: { org_id: slug }, body: { request, scope }, onSuccess: leave })
            }
          >
            Allow
          </Button>
          <Button
            pending={refuse.isPending}
            onClick={() => refuse.mutate({ body: { request }, onSuccess: leave })}
          >
            Refuse
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function AssistantFacts({ assistant }: { readonly assistant: Assistant }) {
  const { clientHost, clientName, redirectHost, isLocal } = assistant
  return (
    <>
      <Facts
        facts={{
          'Described by': <strong className="font-mono font-medium">{clientHost}</strong>,
          'Calls itself': clientName === null ? undefined : `${clientName} (not verified)`,
          'Returns to': (
            <>
              <span className="font-mono">{redirectHost}</span>
              {isLocal && ' (a program on this computer)'}
            </>
          ),
        }}
      />
      <p>
        Allow it only if you have just connected this assistant yourself.
        {isLocal && ` Any program on this computer can claim to be the one of ${clientHost}.`}
      </p>
    </>
  )
}

interface ScopeFieldProps {
  /** Holds what the assistant asks for. */
  readonly most: Scope
  readonly scope: Scope
  readonly onChange: (scope: Scope) => void
}

const read = {
  value: 'read',
  label: 'Read and propose',
  help: 'Reads deployments, configuration and flags, and prepares changes that you save.',
} as const
const write = {
  value: 'write',
  label: 'Apply changes too',
  help: 'Saves what it proposes, but never in production or a protected environment.',
} as const

function ScopeField({ most, scope, onChange }: ScopeFieldProps) {
  return (
    <RadioGroup
      legend="Access"
      name="scope"
      value={scope}
      onChange={onChange}
      options={most === 'write' ? [read, write] : [read]}
    />
  )
}
