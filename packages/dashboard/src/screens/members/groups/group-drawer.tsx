import { Link } from '@tanstack/react-router'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useList, useWrite } from '../../../api/use-api.ts'
import { Button, buttonClass, IconButton } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SelectField } from '../../../components/field.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { FormProblem, Loaded } from '../../../components/states.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { GrantSentence } from '../access/grant-sentence.tsx'
import { chosenBy, type Group } from './group.ts'

interface GroupDrawerProps {
  readonly group: Group
  readonly onClose: () => void
}

/** Shows the people of a group and its grants, and lets an admin add and remove people. */
export function GroupDrawer({ group, onClose }: GroupDrawerProps) {
  const { can } = useOrganization()
  const members = useList('GET /organizations/{org_id}/groups/{group_id}/members', {
    params: { group_id: group.id },
  })
  const mayChange = can('admin') && group.source === 'manual'
  return (
    <Dialog
      shape="drawer"
      title={group.name}
      description={chosenBy[group.source]}
      onClose={onClose}
    >
      <section aria-label="Members" className="flex flex-col gap-2">
        <h3 className="font-semibold">Members</h3>
        <Loaded query={members}>
          {(items) => (
            <>
              <People group={group} people={items} mayChange={mayChange} />
              <MoreButton list={members} />
              {mayChange && <AddPerson group={group} present={items.map(({ userId }) => userId)} />}
            </>
          )}
        </Loaded>
      </section>
      <GroupGrants group={group} />
    </Dialog>
  )
}

interface PeopleProps {
  readonly group: Group
  readonly people: readonly {
    readonly userId: string
    readonly name: string
    readonly email: string
  }[]
  readonly mayChange: boolean
}

function People({ group, people, mayChange }: PeopleProps) {
  const remove = useWrite('DELETE /organizations/{org_id}/groups/{group_id}/members/{user_id}')
  if (people.length === 0) return <p className="text-muted">Nobody yet.</p>
  return (
    <>
      <FormProblem problem={remove.error} />
      <ul className="divide-y divide-line rounded-lg border border-line">
        {people.map(({ userId, name, email }) => (
          <li key={userId} className="flex min-h-10 items-center gap-2 px-3 py-1">
            <span className="min-w-0 flex-1 wrap-anywhere">
              <bdi>{name}</bdi> <span className="text-sm text-muted">{email}</span>
            </span>
            {mayChange && (
              <IconButton
                label={`Remove ${name} from ${group.name}`}
                icon={UserMinus}
                onClick={() => remove.mutate({ params: { group_id: group.id, user_id: userId } })}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface AddPersonProps {
  readonly group: Group
  /** Lists the ids of those who are in it. */
  readonly present: readonly string[]
}

function AddPerson({ group, present }: AddPersonProps) {
  const members = useList('GET /organizations/{org_id}/members', { query: { limit: 100 } })
  const add = useWrite('PUT /organizations/{org_id}/groups/{group_id}/members/{user_id}')
  const [userId, setUserId] = useState('')
  const others = (members.data ?? []).filter((one) => !present.includes(one.userId))
  const chosen = others.find((one) => one.userId === userId)
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === undefined || add.isPending) return
        add.mutate({ params: { group_id: group.id, user_id: chosen.userId } })
      }}
    >
      <FormProblem problem={add.error} />
      <SelectField
        label="Add a person"
        value={chosen?.userId ?? ''}
        onChange={({ target }) => setUserId(target.value)}
      >
        <option value="">
          {members.data !== undefined && others.length === 0 ? 'Everybody is in it' : 'Choose…'}
        </option>
        {others.map((one) => (
          <option key={one.userId} value={one.userId}>
            {one.name}, {one.email}
          </option>
        ))}
      </SelectField>
      <MoreButton list={members} />
      <div>
        <Button type="submit" pending={add.isPending} disabled={chosen === undefined}>
          Add
        </Button>
      </div>
    </form>
  )
}

/** Lists the grants of a group as sentences. */
function GroupGrants({ group }: Pick<GroupDrawerProps, 'group'>) {
  const { slug, can } = useOrganization()
  const grants = useList('GET /organizations/{org_id}/grants', { query: { limit: 100 } })
  return (
    <section aria-label="Grants" className="flex flex-col gap-2">
      <h3 className="font-semibold">Grants</h3>
      <Loaded query={grants}>
        {(items) => {
          const own = items.filter(({ subject }) => subject.id === group.id)
          return (
            <>
              {own.length === 0 && !grants.hasNextPage && (
                <p className="text-muted">None yet. Without a grant, the group allows nothing.</p>
              )}
              <ul className="flex flex-col gap-1">
                {own.map((grant) => (
                  <li key={grant.id}>
                    <GrantSentence grant={grant} />
                  </li>
                ))}
              </ul>
              {can('admin') && (
                <Link
                  to="/$org/members"
                  params={{ org: slug }}
                  search={{ view: 'grants', new: true }}
                  className={`${buttonClass()} self-start`}
                >
                  New grant
                </Link>
              )}
            </>
          )
        }}
      </Loaded>
      <MoreButton list={grants} />
    </section>
  )
}
