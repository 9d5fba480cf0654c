import { Badge } from '../../components/badge.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/states.tsx'
import { roleNames } from '../../session/session.ts'
import { GrantSentence } from './access/grant-sentence.tsx'
import { toGrants, toSubject, useAccess, WhatTheyCanDo } from './access/what-they-can-do.tsx'
import type { Member } from './member.ts'

interface MemberDrawerProps {
  readonly member: Member
  readonly onClose: () => void
}

/** Shows what a member may do: their role, their groups, each grant, and the answer for one environment and schema. */
export function MemberDrawer({ member, onClose }: MemberDrawerProps) {
  const { userId, name, email, role } = member
  const subject = { userId, name }
  return (
    <Dialog shape="drawer" title={name} description={email} onClose={onClose}>
      <Loaded query={useAccess(subject)}>
        {({ groups, permissions }) => (
          <>
            <Facts
              facts={{
                Role: <Badge>{roleNames[role]}</Badge>,
                Groups: groups.length === 0 ? 'none' : groups.map((one) => one.name).join(', '),
                Grants: <Grants grants={toGrants(permissions, toSubject(subject))} />,
              }}
            />
            <WhatTheyCanDo subject={subject} />
          </>
        )}
      </Loaded>
      <p>
        <DocsLink page="access">About roles, groups and grants</DocsLink>
      </p>
    </Dialog>
  )
}

/** Lists grants as sentences. */
function Grants({ grants }: { readonly grants: ReturnType<typeof toGrants> }) {
  if (grants.length === 0) return 'none: the role decides everywhere'
  return (
    <ul className="flex flex-col gap-1">
      {grants.map((grant) => (
        <li key={grant.id}>
          <GrantSentence grant={grant} />
        </li>
      ))}
    </ul>
  )
}
