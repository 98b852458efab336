// A profile behind a curtain, the window behind her.

float profile(vec2 p) {
  float head = length((p - vec2(0.03, 0.10)) * vec2(1.0, 0.86)) - 0.270;
  float hair = length((p - vec2(0.10, 0.15)) * vec2(1.0, 0.9)) - 0.290;
  float bun = length(p - vec2(0.40, 0.27)) - 0.115;
  float d = blend(min(blend(head, hair, 0.06), 9.0), bun, 0.05);
  float brow = length((p - vec2(-0.205, 0.12)) * vec2(1.0, 0.6)) - 0.055;
  float nose = segment(p, vec2(-0.245, 0.08), vec2(-0.305, -0.005)) - 0.018;
  nose = blend(nose, segment(p, vec2(-0.305, -0.01), vec2(-0.23, -0.045)) - 0.020, 0.02);
  float lips = min(length(p - vec2(-0.262, -0.092)) - 0.024, length(p - vec2(-0.256, -0.128)) - 0.026);
  float chin = length(p - vec2(-0.190, -0.215)) - 0.062;
  float jaw = segment(p, vec2(-0.17, -0.19), vec2(0.08, -0.10)) - 0.085;
  float cheek = length((p - vec2(-0.125, -0.05)) * vec2(1.0, 0.70)) - 0.158;
  float face = blend(blend(blend(d, cheek, 0.06), brow, 0.05), nose, 0.03);
  face = blend(face, lips, 0.04);
  face = blend(face, blend(chin, jaw, 0.05), 0.05);
  float neck = segment(p, vec2(0.08, -0.12), vec2(0.14, -0.52)) - 0.125;
  float back = segment(p, vec2(0.18, -0.66), vec2(0.75, -1.05)) - 0.20;
  float chest = segment(p, vec2(0.10, -0.70), vec2(-0.20, -1.15)) - 0.22;
  return blend(blend(face, neck, 0.09), blend(back, chest, 0.1), 0.14);
}

vec3 photo(vec2 uv) {
  float fold = uv.x * 5.2 + 0.9 * sin(uv.x * 2.3 + 1.0) + 0.16 * sin(uv.y * 1.6 + uv.x * 3.0);
  float pleat = sin(fold * 2.2) * 0.6 + 0.4 * sin(fold * 5.1 + 1.0) + 0.15 * noise(vec2(uv.x * 34.0, uv.y * 1.2));
  vec2 p = uv - vec2(0.02, 0.10) + vec2(0.028 * pleat, 0.0);
  float soft = 0.020 + 0.05 * smoothstep(-0.1, -1.0, p.y) + 0.012 * abs(pleat);
  float body = smoothstep(soft, -soft, profile(p * 0.98));
  vec2 w = p - vec2(-0.12, 0.18);
  float pane = smoothstep(0.06, -0.06, box2(w, vec2(0.62, 0.98)));
  float bars = smoothstep(0.035, 0.0, abs(w.x - 0.02) - 0.012) + smoothstep(0.035, 0.0, abs(w.y - 0.30) - 0.012);
  float outside = 0.62 + 0.5 * smoothstep(-0.9, 0.8, w.y) + 0.25 * (fbm(w * 2.2 + 3.0, 4) - 0.5);
  float light = 0.075 + pane * outside * (1.0 - 0.55 * min(bars, 1.0));
  light *= 1.0 - 0.93 * body;
  light += 0.05 * pane;
  float cloth = 0.74 + 0.24 * pleat + 0.06 * sin(uv.x * 620.0) * sin(uv.y * 620.0);
  float veil = 0.05 + 0.07 * smoothstep(-0.3, 0.9, pleat);
  return vec3(light * cloth + veil * (0.5 + 0.5 * pane)) * vec3(1.02, 1.0, 0.97);
}
