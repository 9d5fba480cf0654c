import { useRead } from '../../api/use-api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/states.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'
import type { ApiKey } from './api-key.ts'

interface SecretReadsDialogProps {
  readonly apiKey: Pick<ApiKey, 'id' | 'name'>
  readonly onClose: () => void
}

/** Shows how many answers with secrets a key got, by day. */
export function SecretReadsDialog({ apiKey: { id, name }, onClose }: SecretReadsDialogProps) {
  const reads = useRead('GET /organizations/{org_id}/api-keys/{key_id}/secret-reads', {
    params: { key_id: id },
  })
  return (
    <Dialog
      title={`Reads of secrets with ${name}`}
      description="Each answer with secrets counts, at the API and at delivery. Counts are kept for 90 days, and written once a minute."
      shape="drawer"
      isForm={false}
      onClose={onClose}
    >
      <Loaded query={reads}>
        {({ days }) =>
          days.length === 0 ? (
            <p className="text-muted">This key has read no secrets in the last 90 days.</p>
          ) : (
            <Table columns={['Day (UTC)', 'Reads']}>
              {days.map(({ day, reads: count }) => (
                <Row key={day}>
                  <Cell>{day}</Cell>
                  <Cell>{count.toLocaleString('en')}</Cell>
                </Row>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Dialog>
  )
}
