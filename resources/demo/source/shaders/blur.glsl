#version 300 es
precision highp float;
// One direction of a Gaussian blur; `uRadius` is its standard deviation in texels of the target.
uniform sampler2D uSource;
uniform vec2 uSize, uStep;
uniform float uRadius;
out vec4 blurred;

void main() {
  vec4 sum = vec4(0.0);
  float total = 0.0;
  for (int i = -14; i <= 14; i++) {
    float x = float(i) / 14.0 * 2.6;
    float weight = exp(-0.5 * x * x);
    sum += weight * min(textureLod(uSource, gl_FragCoord.xy / uSize + uStep * x * uRadius, 0.0), vec4(12.0));
    total += weight;
  }
  blurred = sum / total;
}
