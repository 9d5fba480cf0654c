import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'

interface StopProofDialogProps {
  readonly proofId: string
  readonly onClose: () => void
}

/** Ends the watch over a change. A person says whether the change is proven. */
export function StopProofDialog({ proofId, onClose }: StopProofDialogProps) {
  const stop = useWrite('POST /organizations/{org_id}/proofs/{proof_id}/stop')
  const [as, setAs] = useState<'proven' | 'tell'>('proven')
  return (
    <FormDialog
      title="Stop watching this change?"
      description="The change stays live. Signalbox no longer takes it back automatically."
      write={stop}
      submitLabel="Stop watching"
      onSubmit={() =>
        stop.mutate({ params: { proof_id: proofId }, body: { as }, onSuccess: onClose })
      }
      onClose={onClose}
    >
      <RadioGroup
        legend="What do you know of it?"
        name="as"
        value={as}
        options={[
          {
            value: 'proven',
            label: 'It is proven',
            help: 'Earlier changes that wait for it are proven with it.',
          },
          {
            value: 'tell',
            label: 'There is no result',
            help: 'Earlier changes that wait for it are watched on.',
          },
        ]}
        onChange={setAs}
      />
    </FormDialog>
  )
}
