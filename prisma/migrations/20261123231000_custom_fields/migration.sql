-- The custom fields that a platform keeps in a list of its object, each with its id, name, value (as its JSON text) and type.
CREATE FUNCTION svc_custom_fields(
  record jsonb, list_name text, id_name text, name_name text, value_name text, type_name text
) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT COALESCE(jsonb_agg(jsonb_build_object('id', e.field ->> id_name, 'name', e.field ->> name_name,
    'value', NULLIF(e.field -> value_name, 'null')::text, 'type', e.field ->> type_name)), '[]')
  FROM jsonb_array_elements(
    CASE jsonb_typeof(record -> list_name) WHEN 'array' THEN record -> list_name ELSE '[]' END) e (field)
  WHERE jsonb_typeof(e.field -> name_name) = 'string'
$$;
