import { CircleCheck, CircleDashed } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Prose } from '../../components/code.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import type { Capability } from '../../session/use-capability.ts'
import { useOrganization } from '../../session/organization.ts'
import { hasMoreAccess, type Choice, type Integration } from './integration.ts'
import { useConnect } from './use-connect.ts'

/** Shows what works with the connected provider, what doesn't and what to do about it. Renders nothing before it is connected. */
export function CapabilitiesPanel({ integration }: { readonly integration: Integration }) {
  const { capabilities, limits } = integration
  if (capabilities.length === 0) return null
  return (
    <Panel title={`What works with ${integration.displayName}`} flush>
      <ul className="divide-y divide-line">
        {capabilities.map((capability) => (
          <CapabilityRow key={capability.name} capability={capability} />
        ))}
      </ul>
      <FurtherAccess integration={integration} />
      {limits.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <h3 className="text-sm font-medium">Good to know</h3>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-muted">
            {limits.map((limit) => (
              <li key={limit} className="break-words">
                <Prose text={limit} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}

function CapabilityRow({
  capability: { title, works, detail, nextStep },
}: {
  readonly capability: Capability
}) {
  const Icon = works ? CircleCheck : CircleDashed
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon
        role="img"
        aria-label={works ? 'Works' : 'Doesn’t work'}
        size={16}
        className={`mt-0.5 shrink-0 ${works ? 'text-ok' : 'text-muted'}`}
      />
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="break-words text-muted">
          <LongText text={detail} />
        </p>
        {nextStep !== null && (
          <p className="break-words">
            <LongText text={nextStep} />
          </p>
        )}
      </div>
    </li>
  )
}

/** Offers to connect again with everything that the provider can give. Renders nothing where everything was granted. */
function FurtherAccess({ integration }: { readonly integration: Integration }) {
  const { kind, choices, provider } = integration
  const { can } = useOrganization()
  const { pending, problem, authorize } = useConnect(kind)
  const choice = choices.find((one) => one.provider === provider)
  const further = choice && describeFurther(integration, choice)
  if (choice === undefined || further === undefined || !can('admin')) return null
  return (
    <div className="flex flex-col items-start gap-2 border-t border-line px-4 py-3">
      <FormProblem problem={problem} />
      <Button pending={pending !== undefined} onClick={() => void authorize(choice, 'full')}>
        Connect {choice.displayName} again with {further.name}
      </Button>
      {further.advice !== null && <p className="text-sm text-muted">{further.advice}</p>}
    </div>
  )
}

/** Describes the access that was not asked for. `undefined`: there is none. */
function describeFurther(
  integration: Integration,
  choice: Choice,
): { readonly name: string; readonly advice: string | null } | undefined {
  if (integration.level === 'read') return { name: 'full access', advice: null }
  if (choice.moreAccess === null || hasMoreAccess(integration, choice)) return undefined
  return { name: 'more access', advice: choice.moreAccess.advice }
}
