// The head of a table: what each column holds.

export function TableHead({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => (
          <th scope="col" key={column}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  )
}
