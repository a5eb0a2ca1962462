-- Where the field at fault is, as a path of names, so that each style writes it in its own; the words do not name it.
ALTER TABLE "upload_items" ADD COLUMN "error_path" JSONB;

-- `journal_lines[0].net_amount` becomes ["journalLines", 0, "netAmount"]; a platform's own names, with capitals, stay.
UPDATE "upload_items" t
SET "error_path" = (
      SELECT jsonb_agg(
        CASE
          WHEN p.part ~ '^\d+$' THEN to_jsonb(p.part::int)
          WHEN p.part ~ '[A-Z]' THEN to_jsonb(p.part)
          ELSE to_jsonb(left(p.part, 1) || substr(replace(initcap(replace(p.part, '_', ' ')), ' ', ''), 2))
        END ORDER BY p.place)
      FROM regexp_split_to_table(t."error_field", '[.\[\]]+') WITH ORDINALITY AS p (part, place)
      WHERE p.part <> ''
    ),
    "error_message" = COALESCE(
      (
        SELECT substr(t."error_message", length(f.form || t."error_field" || '. ') + 1)
        FROM (VALUES ('Missing required field: '), ('Invalid field: '), ('Record already exists with given: ')) AS f (form)
        WHERE starts_with(t."error_message", f.form || t."error_field" || '. ')
      ),
      t."error_message"
    )
WHERE t."error_field" <> '';

UPDATE "upload_items" t
SET "warnings" = (
  SELECT jsonb_agg(jsonb_build_object('words', w.words, 'path', '[]'::jsonb) ORDER BY w.place)
  FROM jsonb_array_elements_text(t."warnings") WITH ORDINALITY AS w (words, place)
)
WHERE t."warnings" <> '[]'::jsonb;

ALTER TABLE "upload_items" DROP COLUMN "error_field";
