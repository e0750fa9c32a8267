package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table for the terminal, which is kept as JSON too. */
final class Figures {
  private final String name;
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  Figures(String name, String... columns) {
    this.name = name;
    this.columns = List.of(columns);
  }

  /** Adds a row: a value per column. */
  Figures row(Object... values) {
    rows.add(List.of(values));
    return this;
  }

  /** Adds a line under the table. */
  Figures note(String text, Object... values) {
    notes.add(String.format(Locale.ROOT, text, values));
    return this;
  }

  void print(PrintStream out) {
    List<List<String>> texts = new ArrayList<>();
    texts.add(columns);
    rows.forEach(row -> texts.add(row.stream().map(Figures::text).toList()));
    out.println();
    out.println(name);
    for (List<String> line : texts) {
      StringBuilder printed = new StringBuilder("  ");
      for (int column = 0; column < line.size(); column++) {
        int at = column;
        int width = texts.stream().mapToInt(one -> one.get(at).length()).max().orElse(0);
        printed.append(
            column == 0 ? pad(line.get(0), width, true) : pad(line.get(at), width, false));
        printed.append("  ");
      }
      out.println(printed.toString().stripTrailing());
    }
    notes.forEach(note -> out.println("  " + note));
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    ObjectNode json = Json.object().put("name", name);
    ArrayNode table = json.putArray("rows");
    for (List<Object> row : rows) {
      ObjectNode one = table.addObject();
      for (int column = 0; column < columns.size(); column++) {
        one.putPOJO(columns.get(column), row.get(column));
      }
    }
    ArrayNode said = json.putArray("notes");
    notes.forEach(said::add);
    Files.writeString(folder.resolve(name.replace(' ', '-') + ".json"), Json.write(json));
  }

  private static String pad(String text, int width, boolean left) {
    return left
        ? text + " ".repeat(width - text.length())
        : " ".repeat(width - text.length()) + text;
  }

  private static String text(Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.2f", number)
        : String.valueOf(value);
  }
}
