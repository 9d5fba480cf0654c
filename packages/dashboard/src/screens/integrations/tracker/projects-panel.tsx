import { X } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../../api/use-api.ts'
import { IconButton } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { Segments } from '../../../components/tabs.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { explainLack, useLack } from '../../../session/use-capability.ts'
import { ProjectSearch } from './project-search.tsx'

interface ProjectsPanelProps {
  /** Lists the keys of the projects. `null`: every project. */
  readonly projectKeys: readonly string[] | null
}

const choices = [
  { value: 'all', label: 'All projects' },
  { value: 'some', label: 'Selected only' },
] as const

/** Shows the projects whose issue keys count. Keys of other projects are ignored and reported. */
export function ProjectsPanel({ projectKeys }: ProjectsPanelProps) {
  const { params, can } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/integrations/tracker')
  const [isChoosing, setChoosing] = useState(projectKeys !== null)
  const lack = useLack('tracker', 'readIssues')
  const chosen = projectKeys ?? []
  const save = (keys: readonly string[] | null) =>
    update.mutate({ params, body: { projectKeys: keys === null ? null : [...keys] } })

  return (
    <Panel
      title="Tracked projects"
      actions={
        can('admin') && (
          <Segments
            label="Projects"
            options={choices}
            value={isChoosing ? 'some' : 'all'}
            onChange={(choice) => {
              setChoosing(choice === 'some')
              if (choice === 'all') save(null)
            }}
          />
        )
      }
    >
      <div className="flex max-w-xl flex-col gap-3">
        <FormProblem problem={update.error} />
        {projectKeys === null && (
          <p className="text-muted">
            Signalbox looks up keys of every project, including projects created later.
          </p>
        )}
        {chosen.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label="Tracked projects">
            {chosen.map((key) => (
              <li
                key={key}
                className="inline-flex items-center gap-1 rounded-md border border-line pl-2.5"
              >
                <span className="font-mono text-sm">{key}</span>
                {can('admin') && (
                  <IconButton
                    label={`Stop tracking ${key}`}
                    icon={X}
                    onClick={() => save(chosen.filter((one) => one !== key))}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {isChoosing && lack !== undefined && <p className="text-muted">{explainLack(lack)}</p>}
        {isChoosing && lack === undefined && can('admin') && (
          <ProjectSearch chosen={chosen} onChoose={(key) => save([...chosen, key])} />
        )}
      </div>
    </Panel>
  )
}
