import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { FormProblem } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { PartProgress } from './part-progress.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { nothingGiven, SourcePanel } from './source-panel.tsx'
import { StorePanel } from './store-panel.tsx'
import { TargetPanel } from './target-panel.tsx'
import { useWizard, type Wizard, type WizardInput } from './use-wizard.ts'

/** Leads from an export to stored keys: the export, where it goes, the plan, the import. Each step appears after the one before. */
export function ImportWizard({ schemas, environments, schemaId }: WizardInput) {
  const wizard = useWizard({ schemas, environments, schemaId })
  const { input, chosen, readable, state, change } = wizard
  if (state.phase === 'imported' && state.plan !== undefined) return <Imported wizard={wizard} />
  return (
    <>
      <SourcePanel
        input={input}
        source={wizard.source}
        reading={wizard.reading}
        onInput={(next) => change({ input: next, chosen: new Map() })}
      />
      {readable !== undefined && (
        <TargetPanel
          schemas={schemas}
          environments={environments}
          target={wizard.target}
          theirs={readable.environments}
          map={wizard.map}
          problem={state.problem}
          onTarget={(target) => change({ target })}
          onMap={(theirs, ours) => change({ chosen: new Map([...chosen, [theirs, ours]]) })}
        />
      )}
      {readable !== undefined && state.plan === undefined && <PlanStart wizard={wizard} />}
      {state.plan !== undefined && (
        <>
          <PlanPanel
            title="3. The plan"
            plan={state.plan}
            selected={wizard.picked}
            onSelected={wizard.select}
          />
          <StorePanel
            state={state}
            plan={state.plan}
            environments={environments}
            selected={wizard.picked}
            onStore={wizard.importPicked}
          />
        </>
      )}
    </>
  )
}

interface StepProps {
  readonly wizard: Wizard
}

/** Asks the server for the plan. */
function PlanStart({ wizard: { state, violation, isReady, showPlan } }: StepProps) {
  const isPending = state.phase === 'planning'
  return (
    <Panel title="3. The plan">
      <div className="flex max-w-2xl flex-col gap-4">
        <p className="text-muted">The plan shows what happens to each key, and stores nothing.</p>
        {violation !== undefined && (
          <p role="alert" className="wrap-anywhere text-bad">
            {violation}
          </p>
        )}
        <FormProblem problem={state.problem ?? null} fields={['/schema']} />
        {isPending && <PartProgress label="Planning" state={state} />}
        <div>
          <Button variant="primary" pending={isPending} disabled={!isReady} onClick={showPlan}>
            Show the plan
          </Button>
        </div>
      </div>
    </Panel>
  )
}

const none: ReadonlySet<string> = new Set()

/** Shows what has become of each key. */
function Imported({ wizard }: StepProps) {
  const { slug } = useOrganization()
  const { plan } = wizard.state
  if (plan === undefined) return null
  return (
    <>
      <div ref={takeFocus} tabIndex={-1} className="flex flex-wrap items-center gap-2">
        {plan.schemaId !== null && (
          <Link
            to="/$org/config"
            params={{ org: slug }}
            search={{ schema: plan.schemaId }}
            className={buttonClass('primary')}
          >
            Open {plan.schema}
          </Link>
        )}
        <Button
          onClick={() =>
            wizard.change({
              input: nothingGiven,
              target: { schemaId: plan.schemaId ?? '', newName: '' },
              chosen: new Map(),
            })
          }
        >
          Import another export
        </Button>
      </div>
      <PlanPanel
        title={`Imported into ${plan.schema}`}
        plan={plan}
        selected={none}
        onSelected={() => undefined}
      />
    </>
  )
}

/** Takes the focus of the button that was pressed and removed. Otherwise it would go to the top of the page. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
